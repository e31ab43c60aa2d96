"""A session with a server for Windows, about the program main.fk of a folder: lsp.py FOLDER COMMAND…"""

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

FOLDER, COMMAND = Path(sys.argv[1]), sys.argv[2:]
# What wine calls the root of this machine, as VS Code writes it.
ROOT = "file:///z%3A" + quote(str(FOLDER))
MAIN = f"{ROOT}/main.fk"

server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def say(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def hear(is_meant):
    """The next message that is meant; what the server asks is answered with nothing."""
    while True:
        length = 0
        while (line := server.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert line, "the server has ended"
        message = json.loads(server.stdout.read(length))
        if "method" in message and "id" in message:
            say(id=message["id"], result=None)
        elif is_meant(message):
            return message


def ask(number, method, **params):
    say(id=number, method=method, **({"params": params} if params else {}))
    answer = hear(lambda message: message.get("id") == number)
    assert "error" not in answer, answer
    return answer["result"]


ask(1, "initialize", processId=None, rootUri=ROOT, capabilities={}, workspaceFolders=[{"uri": ROOT, "name": "folder"}])
say(method="initialized", params={})
text = (FOLDER / "main.fk").read_bytes().decode().replace("length", "lenght")
say(method="textDocument/didOpen", params={"textDocument": {"uri": MAIN, "languageId": "frank", "version": 1, "text": text}})
found = hear(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == MAIN)
assert [one["code"] for one in found["params"]["diagnostics"]] == ["FK0101"], found
# What is included from a folder that frank.toml names.
place = {"textDocument": {"uri": MAIN}, "position": {"line": 4, "character": 9}}
(there,) = ask(2, "textDocument/definition", **place)
assert there["uri"].lower() == f"{ROOT}/sub/helper.fk".lower(), there
ask(3, "shutdown")
say(method="exit")
server.stdin.close()
assert server.wait(30) == 0, server.returncode
