"""Receives what the service tells of decisions that wait, and sends each as a mail."""
import base64, hashlib, hmac, json, os, smtplib, time
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["NOTIFY_SECRET"].removeprefix("whsec_"))


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
        mail = EmailMessage()
        mail["From"], mail["To"] = os.environ["MAIL_FROM"], os.environ["MAIL_TO"]
        mail["Subject"] = f"{asked['count']} waiting for your decision"
        mail["Message-ID"] = f"<{id}@assent.invalid>"  # The same at each attempt.
        tools = [f"{tool['toolId']}: {tool.get('reason', '')}" for tool in asked["tools"]]
        mail.set_content("\n".join([*tools, "", asked.get("link", "")]))
        with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"]), timeout=10) as server:
            server.send_message(mail)  # What fails here is answered with no status, and comes again.
        self.send_response(204)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
