//! What went wrong at the place of the files, in words for an engineer: no key, and nothing of what
//! a server says but its code.

use std::error;

use object_store::Error;

/// Advice by what the text of a failure has, the first that fits.
const ADVICE: [(&[&str], &str); 9] = [
    (
        &["NoSuchBucket"],
        "there is no such bucket: make it, or name another one with --uploads",
    ),
    (
        &[
            "SignatureDoesNotMatch",
            "InvalidAccessKeyId",
            "InvalidToken",
            "401 Unauthorized",
        ],
        "the key is not accepted: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    (
        &["RequestTimeTooSkewed", "RequestExpired"],
        "the clock of this machine and that of the store are far apart",
    ),
    (
        &[
            "PermanentRedirect",
            "AuthorizationHeaderMalformed",
            "IllegalLocationConstraint",
            "redirect",
            "301 ",
            "307 ",
        ],
        "the bucket is in another region or at another address: look at AWS_REGION and \
         AWS_ENDPOINT",
    ),
    (
        &["AccessDenied", "403 Forbidden"],
        "the key may not do this: it has to list the bucket, and to read, write and delete in it",
    ),
    (
        &["SlowDown", "TooManyRequests", "429 "],
        "the store is asked too often",
    ),
    (
        &["169.254.169.254"],
        "there is no key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    (&["timed out"], "it does not answer in time"),
    (
        &["Connection refused", "dns error", "error trying to connect"],
        "it cannot be reached",
    ),
];

/// Returns the cause of a failure as a part of a sentence.
pub(super) fn describe(error: &Error) -> String {
    let whole = all_causes(error);
    let mut text = without_body(&whole);
    if let Some(code) = code(&whole)
        && !text.contains(code)
    {
        text = format!("{text} ({code})");
    }
    let fits = |(words, _): &&(&[&str], &str)| words.iter().any(|word| whole.contains(word));
    match ADVICE.iter().find(fits) {
        Some((_, advice)) => format!("{advice}: {text}"),
        None => text,
    }
}

/// Returns true if it was not a file, but the bucket that was not found.
pub(super) fn is_missing_bucket(error: &Error) -> bool {
    all_causes(error).contains("NoSuchBucket")
}

/// Returns the text of an error and, where it does not have it, that of its innermost cause.
fn all_causes(error: &(dyn error::Error + 'static)) -> String {
    let (text, innermost) = (error.to_string(), crate::error::cause(error));
    if text.contains(&innermost) {
        return text;
    }
    format!("{text}: {innermost}")
}

/// Returns what stands before the answer of a server: that may repeat the key.
fn without_body(text: &str) -> String {
    let end = text.find(['<', '{']).unwrap_or(text.len());
    let text = text.get(..end).unwrap_or_default();
    let lines: Vec<_> = text.split_whitespace().collect();
    lines.join(" ").trim_end_matches(':').to_owned()
}

/// Returns the code that S3 gives a failure, such as `NoSuchKey`.
fn code(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once("<Code>")?;
    let (code, _) = behind.split_once("</Code>")?;
    let is_code = !code.is_empty() && code.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_code.then_some(code)
}

#[cfg(test)]
mod tests {
    use super::describe;

    fn described(text: &str) -> String {
        describe(&object_store::Error::Generic {
            store: "S3",
            source: text.into(),
        })
    }

    #[test]
    fn of_what_a_server_says_the_code_alone_is_told() {
        let said = described(
            "Error performing GET https://s3.example/b in 3ms - Server returned non-2xx status \
             code: 403 Forbidden: <?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code>\
             <AWSAccessKeyId>canary</AWSAccessKeyId><StringToSign>canary</StringToSign></Error>",
        );
        assert!(!said.contains("canary") && !said.contains('<'), "{said}");
        assert!(said.starts_with("the key is not accepted"), "{said}");
        assert!(
            said.ends_with("403 Forbidden (SignatureDoesNotMatch)"),
            "{said}"
        );
        let odd = described("500: <Code>can ary</Code>");
        assert!(!odd.contains("ary"), "{odd}");
        let said = described("token: {\"canary\": 1}");
        assert!(said.ends_with("token"), "{said}");
    }
}
