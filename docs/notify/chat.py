"""Receives what the service tells of decisions that wait, and posts each to a team chat's incoming webhook."""
import base64, hashlib, hmac, json, os, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["NOTIFY_SECRET"].removeprefix("whsec_"))


def plain(text):
    """In a chat these three signs begin links and mentions of everybody."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["content-length"]), 1 << 20))
        id, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        mac = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
        signed = "v1," + base64.b64encode(mac).decode()
        given = self.headers["webhook-signature"].split(" ")
        if not any(hmac.compare_digest(signed, it) for it in given) or abs(time.time() - int(at)) > 300:
            return self.send_error(401)
        asked = json.loads(body)["data"]
        tools = ", ".join(plain(tool["toolId"]) for tool in asked["tools"])
        text = f"{plain(asked['agentName'])} waits for a decision of {plain(asked['userId'])}: {tools}"
        text = "\n".join([text, plain(asked.get("link", ""))])
        post = urllib.request.Request(os.environ["CHAT_WEBHOOK"], json.dumps({"text": text}).encode())
        post.add_header("content-type", "application/json")
        urllib.request.urlopen(post, timeout=10).close()  # If this fails, it comes again.
        self.send_response(204)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
