"""Cells in the kernel `frank`, which is installed: as notebooks have them, and as no notebook sends them."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

PATIENCE = 60


def check(what, holds, found=""):
    if not holds:
        sys.exit(f"tests: {what}: {found}")
    print(f"  ok   {what}")


def executed(*sources):
    """A notebook with these cells, when all have run."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, kernel_name="frank", allow_errors=True, timeout=PATIENCE)
    client.execute()
    nbformat.validate(notebook)
    return [cell.outputs for cell in notebook.cells]


def text(outputs):
    return "".join(output.get("text", "") for output in outputs)


def values(outputs):
    return [output.data["text/plain"] for output in outputs if output.output_type == "execute_result"]


def notebooks():
    defined, two, typed, derived, plotted, printed, described, wrong, after, hole, drawn = executed(
        "include ad\n\n-- the cube\ncube : X -> [Smooth X]X\ncube x = times x (times x x)",
        "square : Int -> Int\nsquare n = n * n\n\nsquare 12\n\nmap square [1, 2, 3]",
        ":type cube",
        ":derive cube 2",
        ":plot cube -2 2",
        'printLine "∂ hé"; 3',
        ":info cube",
        'square "s"\n\nsquare 1',
        "square 3",
        "1 + _",
        "include picture\n\n"
        'printLine "before"; plot (titled "Line") [pair "l" [pair 0.0 1.0, pair 1.0 3.0]]; printLine "after"',
    )
    check("definitions show nothing", defined == [], defined)
    check("each term has its value", values(two) == ["144", "[1, 4, 9]"], two)
    check("types are told", text(typed) == "cube : {X -> [E|Smooth X]X}\n", typed)
    check("derivatives are told", "∂ cube 2.0 = 12.0" in text(derived), derived)
    [picture] = plotted
    check("a plot is a picture", picture.data["image/svg+xml"].startswith("<svg"), picture)
    check("a plot is also letters", "∂cube/∂x" in picture.data["text/plain"], picture)
    check("what is printed stands before the value", text(printed[:1]) == "∂ hé\n", printed)
    check("and the value behind it", values(printed) == ["3"], printed)
    [page] = described
    check("documentation is Markdown", "the cube" in page.data["text/markdown"], page)
    [error] = wrong
    check("an error has its code", error.ename == "FK0201" and "Int" in error.evalue, error)
    check("an error shows its line", 'square "s"' in "\n".join(error.traceback), error)
    check("the next cell runs", values(after) == ["9"], after)
    kinds = [output.output_type for output in drawn]
    check("a program draws among what it prints", kinds == ["stream", "display_data", "stream", "execute_result"], drawn)
    check("its pictures are pictures", drawn[1].data["image/svg+xml"].startswith("<svg"), drawn)
    check("a hole tells what is missing", "a value of type `Int` is missing" in hole[0].evalue, hole)


def places():
    """Errors show a cell's own lines, whatever was defined before it and in whatever order."""
    _, wrong, indented, late, again, replaced, caller, listed = executed(
        "include ad\n\none : {Int}\none! = 1\n\ntwo : {Int}\ntwo! = 2",
        "one!\n\n:type two\n\n-- adds\nbad : Int -> Int\nbad n =\n  n +\n    missing",
        "  f : Int -> Int\n  f n =\n    10 / n",
        "1\n\n1 + f 0",
        "f : Int -> Int\nf n = n",
        "f 0\n\nf \"s\"",
        "partial : List Int -> Int\npartial (x :: xs) = x\n\npartial []",
        ":derive partial",
    )
    del again, listed

    def shown(outputs):
        [error] = [output for output in outputs if output.output_type == "error"]
        return re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))

    check("a definition is wrong in a line of its cell", "<cell 2>:9:5" in shown(wrong), wrong)
    check("the line is shown", "9 |     missing" in shown(wrong), wrong)
    check("a run stops in the cell that has the operator", "<cell 3>:3:5" in shown(late), late)
    check("and names it in the stack", "`f`, <cell 3>:3:5" in shown(late), late)
    check("a wrong term has a line of its cell", "<cell 6>:3:3" in shown(replaced), replaced)
    check("no clause matches: at the name of the operator in the cell", "<cell 7>:1:1" in shown(caller), caller)
    check("an indented line is shown as it is", "3 |     10 / n" in shown(late), late)
    check("no other name is left", "<repl>" not in str(wrong + late + replaced + caller + indented), wrong)


def terms_of_commands():
    """What is wrong with a command's term is shown where it stands, whatever term was asked for before."""
    _, typed, behind, indented, returns, alone = executed(
        '"abcdef"',
        ":type nosuch",
        "1 + 1\n\n:type nosuch + 1",
        "  1\r\n  : t  nosuch",
        "1\r2\rnosuch",
        "g x = x * 2\n\n1\n\ng : Int -> Int",
    )
    for outputs, place, line in [
        (typed, "<cell 2>:1:7", "1 | :type nosuch"),
        (behind, "<cell 3>:3:7", "3 | :type nosuch + 1"),
        (indented, "<cell 4>:2:8", "2 |   : t  nosuch"),
        (returns, "<cell 5>:3:1", "3 | nosuch"),
    ]:
        [error] = [output for output in outputs if output.output_type == "error"]
        plain = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))
        check(f"a term is wrong at {place}", place in plain and line in plain, plain)
    check("a return alone ends a line", values(returns) == ["1", "2"], returns)
    check("a signature that takes the clauses away is told", "FK0403" in text(alone), alone)


def foreign():
    """What stands in comments is read, and does nothing."""
    Path("hostile.fk").write_text(
        "-- Runs <State S> until x < y. <img src=x onerror=alert(1)> [a](javascript:alert(1))\n"
        "-- \x1b[31m \u202e\n-- ```\nh : Int -> Int\nh x = x\n"
    )
    _, described = executed("include hostile", ":info h")
    [page] = described
    markdown, plain = page.data["text/markdown"], page.data["text/plain"]
    check("comments hold no HTML", "<img" not in markdown and "[a](" not in markdown, markdown)
    check("nor what is not seen", "\x1b" not in markdown + plain and "\u202e" not in markdown + plain, page)
    check("an open block of code ends with its comment", markdown.split("\n\n")[-2].endswith("```"), markdown)
    check("what looks like a tag is no tag", "<State S> until x < y. <img" in plain, plain)


def large():
    deep, defined, value, pictures = executed(
        "[" * 1000,
        "data Tree = leaf | node Tree Tree\n\ntree : Int -> Tree -> Tree\ntree 0 t = t\ntree n t = tree (n - 1) (node t t)",
        "tree 40 leaf",
        "include picture\n\n"
        "line : {List Float}\nline! = iota 20000 1.0\n\n"
        "iota : Int -> Float -> List Float\niota 0 x = []\niota n x = x :: iota (n - 1) (x + 1.0)\n\n"
        "draw : Int -> [Picture] Unit\ndraw 0 = unit\ndraw n = plot (titled \"e\") [pair \"\" (byPosition line!)]; draw (n - 1)\n\n"
        "draw 100",
    )
    del defined
    check("an error of a thousand places can be read", len("".join(deep[0].traceback)) < 10_000, len(str(deep)))
    [shown] = values(value)
    check("a value has its end", len(shown) < 2 << 20 and shown.endswith("…"), len(shown))
    check("which is told", "the rest is not shown" in text(value), text(value))
    drawn = [output.data["image/svg+xml"] for output in pictures if output.output_type == "display_data"]
    check("pictures have an end, too", 0 < sum(map(len, drawn)) <= 16 << 20 and len(drawn) < 100, pictures[-3:])
    check("and that is told", "not shown" in text(pictures), text(pictures))


def examples(frank, folder):
    """The programs of the book, a cell each: what they print and give is what `frank run` says."""
    os.chdir(folder)
    compared = 0
    for program in sorted(Path(folder).glob("*.fk")):
        # Pictures are apart from what is printed, as they are on a page.
        command = [frank, "run", "--pictures", tempfile.mkdtemp(), program]
        run = subprocess.run(command, input="", capture_output=True, text=True)
        if run.returncode:
            continue
        _, outputs = executed(program.read_text(), "main!")
        # A value begins a line of a run; on a page it is a thing of its own.
        printed = re.sub(r"(?<=[^\n])\Z", "\n", text(outputs))
        shown = printed + "".join(value + "\n" for value in values(outputs))
        check(f"{program.name} gives what a run gives", shown == run.stdout, (shown, run.stdout))
        compared += 1
    check("there are examples", compared > 4, compared)


class Client:
    """A client that sees all messages."""

    def __init__(self, **settings):
        self.manager = KernelManager(kernel_name="frank", **settings)
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def until_idle(self, request):
        """What is published about a request, up to its end."""
        found = []
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            content = message["content"]
            if content.get("execution_state") == "idle":
                return found
            found.append((message["msg_type"], content))

    def reply(self, request):
        while True:
            message = self.client.get_shell_msg(timeout=PATIENCE)
            if message["parent_header"]["msg_id"] == request:
                return message["content"]

    def run(self, code, **options):
        request = self.client.execute(code, **options)
        return self.until_idle(request), self.reply(request)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()


def requests():
    kernel = Client()
    client = kernel.client
    endless = "loop : Int -> Int\nloop n = loop (n + 1)\n\nloop 0"
    request = client.execute(endless)
    time.sleep(1)
    before = time.monotonic()
    kernel.manager.interrupt_kernel()
    reply = kernel.reply(request)
    check("an endless cell can be interrupted", reply["ename"] == "Interrupted", reply)
    check("within a second", time.monotonic() - before < 1)
    kernel.until_idle(request)
    shown, reply = kernel.run("1 + 1")
    check("and the next one runs", reply["status"] == "ok", reply)

    request = client.execute('print "Who? "; readLine!', allow_stdin=True)
    asked = client.get_stdin_msg(timeout=PATIENCE)
    check("a cell that reads asks", asked["content"]["prompt"] == "", asked)
    client.input("∀da")
    shown = kernel.until_idle(request)
    result = [content["data"]["text/plain"] for kind, content in shown if kind == "execute_result"]
    check("and gets the answer", result == ['"∀da"'], shown)
    printed = "".join(content["text"] for kind, content in shown if kind == "stream")
    check("the question stands there once", printed == "Who? ", printed)
    kernel.reply(request)
    request = client.execute("readLine!", allow_stdin=True)
    client.get_stdin_msg(timeout=PATIENCE)
    kernel.manager.interrupt_kernel()
    check("waiting can be interrupted", kernel.reply(request)["ename"] == "Interrupted")
    kernel.until_idle(request)

    for when in ["busy", "execute_input"] * 10:
        request = client.execute("loop 0")
        while True:
            message = client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            if when in (message["msg_type"], message["content"].get("execution_state")):
                break
        kernel.manager.interrupt_kernel()
        reply = kernel.reply(request)
        if reply.get("ename") != "Interrupted":
            check("an interrupt holds from the beginning of a cell on", False, reply)
        kernel.until_idle(request)
    check("an interrupt holds from the beginning of a cell on", True)

    failed, *others = [client.execute(code) for code in ["1 / 0"] + ["1 + 1"] * 10]
    check("a cell fails", kernel.reply(failed)["status"] == "error")
    states = [kernel.reply(other)["status"] for other in others]
    check("what was sent in one go is not run", states == ["aborted"] * 10, states)
    for other in others:
        kernel.until_idle(other)
    shown, reply = kernel.run("1 / 0")
    shown, reply = kernel.run("1 + 1")
    check("what is sent after the reply is", reply["status"] == "ok", reply)
    [result] = [content for kind, content in shown if kind == "execute_result"]
    check("a value has no `null`", result["transient"] == {}, result)
    shown, reply = kernel.run("nosuch", store_history=False)
    check("a cell without a number has no other's", "<cell>" in str(reply["traceback"]), reply)

    asked_beside = {"a": "2 + 2", "b": "nosuch", "c": "1 / 0", "d": "f : Int", "e": ""}
    found = kernel.run("1", user_expressions=asked_beside)[1]["user_expressions"]
    check("user expressions have values", found["a"]["data"] == {"text/plain": "4"}, found)
    names = [found[name]["ename"] for name in "bcde"]
    check("or errors", names == ["FK0101", "RunFailed", "Refused", "Refused"], found)

    first = client.execute("loop 0")
    second = client.execute("2")
    time.sleep(0.5)
    kernel.manager.interrupt_kernel()
    check("a cell that is ended has failed", kernel.reply(first)["status"] == "error")
    check("what was sent behind it is not run", kernel.reply(second)["status"] == "aborted")
    shown, reply = kernel.run("3")
    check("what is sent later is", reply["status"] == "ok", reply)
    shown, reply = kernel.run("4", silent=True)
    check("a silent cell shows nothing", shown == [("status", {"execution_state": "busy"})], shown)

    lines = "many : Int -> [Console]Unit\nmany 0 = unit\nmany n = printLine (showInt n); many (n - 1)\n\n"
    shown, reply = kernel.run(lines + "many 20000")
    printed = "".join(content["text"] for kind, content in shown if kind == "stream")
    check("nothing that is printed is lost", printed.count("\n") == 20_000, printed.count("\n"))

    request = client.complete("∂ + ma", 6)
    found = kernel.reply(request)
    check("names are completed", "map" in found["matches"], found)
    check("where they begin", (found["cursor_start"], found["cursor_end"]) == (4, 6), found)
    found = kernel.reply(client.inspect("∂ map", 4))
    check("names are inspected", found["found"] and "map" in found["data"]["text/markdown"], found)
    found = kernel.reply(client.inspect("1 + 1", 2))
    check("what is no name is not", not found["found"], found)
    found = kernel.reply(client.is_complete("f x ="))
    check("an open line is not whole", found["status"] == "incomplete", found)
    found = kernel.reply(client.is_complete("1 + 1"))
    check("a closed one is", found["status"] == "complete", found)
    found = kernel.reply(client.history(hist_access_type="tail", n=2))
    check("cells are remembered", found["history"][-1][2].endswith("many 20000"), found)

    kernel.run("1+1")
    for pattern, count in [("1+1", 1), ("?+?", 1), ("*", None), ("1+", 0)]:
        found = kernel.reply(client.history(hist_access_type="search", pattern=pattern))["history"]
        check(f"`{pattern}` finds what is like it", found if count is None else len(found) == count, found)
    found = kernel.reply(client.history(hist_access_type="search", pattern="1 */ 0", unique=True, n=3))["history"]
    check("each once, if that is asked for", [code for _, _, code in found] == ["1 / 0"], found)

    def chain(length):
        first = "f0 : Int -> Int\nf0 n = n\n\n"
        return first + "".join(f"f{i} : Int -> Int\nf{i} n = if (n == {i}) {{f{i - 1} n}} {{n}}\n\n" for i in range(1, length))

    request = client.execute(chain(50_000))
    time.sleep(1)
    before = time.monotonic()
    kernel.manager.interrupt_kernel()
    reply = kernel.reply(request)
    check("the check of a cell can be interrupted", reply.get("ename") == "Interrupted", reply)
    check("within some seconds", time.monotonic() - before < 5, time.monotonic() - before)
    kernel.until_idle(request)
    shown, reply = kernel.run("f0 1")
    check("nothing of it is defined", reply["status"] == "error", reply)
    shown, reply = kernel.run("f0 : Int -> Int\nf0 n = n\n\nf0 1")
    check("what is defined later is", reply["status"] == "ok", reply)
    for what in ["defined", "defined again"]:
        before = time.monotonic()
        shown, reply = kernel.run(chain(20_000))
        check(f"20,000 operators are {what}", reply["status"] == "ok", reply)
        check("in seconds", time.monotonic() - before < 20, time.monotonic() - before)

    def asked(channel, kind, content):
        message = client.session.msg(kind, content)
        channel.send(message)
        return message["header"]["msg_id"]

    for kind, content, missing in [
        ("execute_request", {}, "code"),
        ("complete_request", {"code": "ma"}, "cursor_pos"),
        ("inspect_request", {"cursor_pos": 1}, "code"),
        ("history_request", {}, "hist_access_type"),
    ]:
        reply = kernel.reply(asked(client.shell_channel, kind, content))
        wrong = reply["status"] == "error" and missing in reply["evalue"]
        check(f"a {kind} without `{missing}` is answered", wrong, reply)
    request = asked(client.shell_channel, "execute_request", {"code": "1 + 2"})
    check("what goes without saying is not missed", kernel.reply(request)["status"] == "ok")

    request = asked(client.shell_channel, "comm_open", {"comm_id": "a", "target_name": "x", "data": {}})
    answers = [kind for kind, content in kernel.until_idle(request)]
    check("whoever opens a comm hears that nobody is there", "comm_close" in answers, answers)

    # Whoever does not know the key is not heard.
    key = client.session.key
    client.session.key = b"another"
    client.execute("5")
    client.session.key = key
    shown, reply = kernel.run("6")
    check("what is not signed is passed over", reply["status"] == "ok", reply)
    kernel.end()


def settings():
    """What stands beside a notebook: files to include, and settings."""
    os.chdir(tempfile.mkdtemp())
    Path("beside.fk").write_text("seven : {Int}\nseven! = 7\n")
    Path("frank.toml").write_text('[limits]\ntimeout = "1s"\n')
    included, timed = executed("include beside\n\nseven!", "loop : Int -> Int\nloop n = loop (n + 1)\n\nloop 0")
    check("files beside a notebook are included", values(included) == ["7"], included)
    check("limits hold", "time limit" in timed[0].evalue, timed)
    kernel = Client()
    request = kernel.client.execute("readLine!", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    reply = kernel.reply(request)
    check("limits hold while a cell waits", "time limit" in reply["evalue"], reply)
    kernel.until_idle(request)
    slow = "include ad\n\nslow : X -> [Smooth X]X\nslow x = slow x"
    kernel.run(slow)
    request = kernel.client.execute(":derive slow 2")
    time.sleep(0.3)
    kernel.manager.interrupt_kernel()
    check("a derivative can be interrupted", kernel.reply(request)["ename"] == "Interrupted")
    kernel.until_idle(request)
    kernel.run("include beside")
    Path("beside.fk").write_text("seven : {Int}\nseven! = true\n")
    _, reply = kernel.run(":reload")
    check("what is wrong with a file is told", reply["status"] == "error" and reply["ename"] == "FK0201", reply)
    Path("beside.fk").write_text("seven : {Int}\nseven! = 7\n")
    kernel.run("eight : {Int}\neight! = seven! + 1")
    kernel.run(":reload")
    Path("beside.fk").unlink()
    _, reply = kernel.run(":reload")
    told = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(reply["traceback"]))
    check("a file that is gone is told", "`include beside` is taken back" in told, told)
    check("with what used it, where that stands", "`seven`" in told and ":2:10" in told and "<repl>" not in told, told)
    _, reply = kernel.run("nosuch")
    check("what is unknown is told then", reply["ename"] == "FK0101", reply)
    _, reply = kernel.run("eight!")
    check("what used it says why it cannot run", "`seven`" in str(reply["traceback"]), reply)
    _, reply = kernel.run("nine : {Int}\nnine! = 9\n\nnine!")
    check("and everything else goes on", reply["status"] == "ok", reply)
    _, reply = kernel.run("nine : {Int}\nnine! = seven!")
    check("but what is wrong itself", reply["status"] == "error", reply)
    kernel.end()

    Path("frank.toml").write_text("limits = 3 [[[")
    [told] = executed("1")
    check("broken settings are told", "frank.toml" in text(told), told)


def ends():
    folder = Path(tempfile.mkdtemp())
    kernel = Client(transport="ipc", ip=str(folder / "ipc"))
    shown, reply = kernel.run("1")
    check("sockets can be files", reply["status"] == "ok" and len(list(folder.iterdir())) == 5, list(folder.iterdir()))
    client = kernel.client
    client.shutdown()
    process = psutil.Process(kernel.manager.provisioner.process.pid)
    psutil.wait_procs([process], PATIENCE)
    check("which go with the kernel", list(folder.iterdir()) == [], list(folder.iterdir()))
    kernel.end()

    kernel = Client()
    process = psutil.Process(kernel.manager.provisioner.process.pid)
    kernel.client.execute("loop : Int -> Int\nloop n = loop (n + 1)\n\nloop 0")
    time.sleep(0.5)
    before = time.monotonic()
    kernel.end()
    process.wait(PATIENCE)
    check("a kernel ends within its cell", time.monotonic() - before < 5)

    reader, writer = os.pipe()
    starter = os.fork()
    if starter == 0:
        other = Client()
        os.write(writer, str(other.manager.provisioner.process.pid).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(starter, 0)
    orphan = int(os.read(reader, 20))
    try:
        psutil.Process(orphan).wait(PATIENCE)
    except psutil.NoSuchProcess:
        pass
    check("a kernel whose starter is killed ends", not psutil.pid_exists(orphan))


if __name__ == "__main__":
    notebooks()
    places()
    terms_of_commands()
    foreign()
    large()
    examples(*sys.argv[1:])
    requests()
    settings()
    ends()
