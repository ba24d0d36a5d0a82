"""What the tool cannot know of our media types."""

import schemathesis


@schemathesis.deserializer("image/png", "image/jpeg", "image/gif", "image/webp")
def image(context, response):
    """An image is described as a string of bytes, whatever they are."""
    return response.content.decode("latin-1")
