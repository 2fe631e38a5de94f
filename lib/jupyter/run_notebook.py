"""Runs or exports one notebook. Settings come as JSON on stdin; events leave as JSON lines on stdout.

A line of ours opens with a record separator (RFC 7464), as the kernel may print to the same place.

{"action": "run", "notebook": {…}, "folder": "…", "kernel": "deno", "cellTimeout": 3600} executes every cell in a fresh
kernel and says "start", "cell", "note" (the last line a cell printed or displayed), "error", and at the end "notebook";
"trouble" comes before any other end. The kernel is told of "figures" as FATHOM_FIGURES.
{"action": "report", "notebook": {…}, "folder": "…", "title": "…", "templates": "…", "withoutCode": false} says "report"
with one HTML page. Needs nbclient 0.7 or newer to run and nbconvert 6.5 or newer to export.
"""

import json
import os
import re
import signal
import sys
import time

import nbformat

# Which form of an output a report shows, best first: a chart is a picture, which the page's script draws again from its data.
SHOWN = ["text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/plain"]

OUTPUTS = ["stream", "display_data", "update_display_data", "execute_result", "error"]

FLUSHED = "\x01flushed\x01"
FLUSH_SECONDS = 10


def say(event, **facts):
    sys.stdout.write("\x1e" + json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


def read(settings):
    return nbformat.reads(json.dumps(settings["notebook"]), as_version=4)


def last_line(content, kind):
    """The closing line of what a message shows as text, without terminal colours."""
    text = content.get("text", "") if kind == "stream" else content.get("data", {}).get("text/plain", "")
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def without_flush(message):
    """A message without our own line, which the kernel may join to what a cell printed; nothing where no text is left."""
    text = message["content"].get("text", "").replace(FLUSHED + "\n", "")
    return {**message, "content": {**message["content"], "text": text}} if text else None


async def execute_beside(kernel, code):
    """Runs a line while a task waits for the reply to another, and gives its message's name."""
    import zmq
    from nbclient.util import ensure_async

    name = await ensure_async(kernel.execute(code, silent=True, store_history=False))
    # Subtle: ZeroMQ says once that a socket has something to read, and to send on it takes that word away. Where the reply that
    # is waited for came a moment before, it would lie there unread; to ask for the socket's events wakes who waits.
    kernel.shell_channel.socket.get(zmq.EVENTS)
    return name


def client_class():
    from queue import Empty

    from nbclient import NotebookClient
    from nbclient.util import ensure_async

    class Client(NotebookClient):
        last_note = 0.0

        def process_message(self, msg, cell, cell_index):
            kind = msg["msg_type"]
            if kind == "stream":
                msg = without_flush(msg)
                if msg is None:
                    return None
            if kind in ("stream", "display_data", "update_display_data"):
                note = last_line(msg["content"], kind)
                if note and time.monotonic() - self.last_note > 0.2:
                    self.last_note = time.monotonic()
                    say("note", cell=cell_index, text=note)
            return super().process_message(msg, cell, cell_index)

        # Subtle: Deno's kernel publishes "idle" beside, not behind, its queue of outputs, so a cell's last outputs may follow
        # it, under the name of whatever runs by then, and nbclient would drop them. One more line put through the same queue
        # tells when the queue has run empty.
        async def _async_poll_output_msg(self, parent_msg_id, cell, cell_index):
            await super()._async_poll_output_msg(parent_msg_id, cell, cell_index)
            code = f"console.log({json.dumps(FLUSHED)});"
            names = {parent_msg_id, await execute_beside(self.kc, code)}
            is_flushed = False
            while not is_flushed:
                try:
                    message = await ensure_async(self.kc.iopub_channel.get_msg(timeout=FLUSH_SECONDS))
                except Empty:
                    # A kernel was once seen idle with its line never come: send it again.
                    names.add(await execute_beside(self.kc, code))
                    continue
                if message["msg_type"] in OUTPUTS and message["parent_header"].get("msg_id") in names:
                    is_flushed = FLUSHED in message["content"].get("text", "")
                    self.process_message(message, cell, cell_index)

    return Client


def cause(error):
    """The first error, from the last raised to the first, that says something."""
    while not str(error) and error.__context__ is not None:
        error = error.__context__
    return f"{type(error).__name__}: {error}"


def run(settings):
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    notebook = read(settings)
    os.environ["FATHOM_FIGURES"] = settings["figures"]
    current = {"cell": 0}

    def on_cell_start(cell, cell_index):
        current["cell"] = cell_index
        say("cell", cell=cell_index)

    client = client_class()(
        notebook,
        kernel_name=settings["kernel"],
        timeout=settings["cellTimeout"],
        iopub_timeout=60,
        allow_errors=False,
        record_timing=False,
        resources={"metadata": {"path": settings["folder"]}},
        on_cell_start=on_cell_start,
    )
    say("start", cells=len(notebook.cells))
    try:
        client.execute()
    except CellExecutionError as error:
        say("error", cell=current["cell"], name=error.ename, message=error.evalue)
    except CellTimeoutError:
        limit = settings["cellTimeout"]
        say("error", cell=current["cell"], name="Timeout", message=f"the cell ran longer than {limit} s")
    except DeadKernelError:
        say("error", cell=current["cell"], name="DeadKernel", message="the kernel ended before the cell was done")
    say("notebook", notebook=notebook)


def report(settings):
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter
    from traitlets.config import Config

    config = Config()
    config.NbConvertBase.display_data_priority = SHOWN
    exporter = HTMLExporter(
        config=config,
        template_name="report",
        extra_template_basedirs=[settings["templates"]],
        embed_images=True,
    )
    metadata = {
        "path": settings["folder"],
        "name": settings["title"],
        "withoutCode": settings.get("withoutCode", False),
        "colours": HtmlFormatter(style="default").get_style_defs(".highlight"),
        "darkColours": HtmlFormatter(style="github-dark").get_style_defs(".highlight"),
    }
    html, _ = exporter.from_notebook_node(read(settings), resources={"metadata": metadata})
    say("report", html=html)


def main():
    # Subtle: nbclient shuts its kernel down on the way out of an exception, so a polite kill must raise one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    settings = json.load(sys.stdin)
    try:
        {"run": run, "report": report}[settings["action"]](settings)
    except Exception as error:
        say("trouble", message=cause(error))
        raise


if __name__ == "__main__":
    main()
