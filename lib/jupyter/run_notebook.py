"""Runs or exports one notebook. Reads settings as JSON from stdin and writes events as JSON lines to stdout.

Each event starts with a record separator (RFC 7464), since the kernel may print to the same stream.

The action "run" executes every cell in a fresh kernel, with FATHOM_FIGURES set to "figures". Events: "cell", "note" (the last line that
a cell printed or displayed), "error", "notebook" at the end, or "trouble" before any other end. The action "report" emits one HTML page.
"""

import json
import os
import re
import signal
import sys
import time

# A grammar that jsonschema compiles, for a second, to check a format that notebooks do not have; without the module it skips it.
sys.modules["rfc3987_syntax"] = None

import nbformat  # noqa: E402

# The formats of an output that a report prefers: a chart is a picture, which the script of the page redraws from its data.
SHOWN = ["text/html", "text/markdown", "image/svg+xml", "image/png", "text/plain"]

OUTPUTS = ["stream", "display_data", "update_display_data", "execute_result", "error"]

FLUSHED = "\x01flushed\x01"
FLUSH_SECONDS = 10


def emit(event, **facts):
    sys.stdout.write("\x1e" + json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


def read(settings):
    return nbformat.reads(json.dumps(settings["notebook"]), as_version=4)


def last_line(content, kind):
    """Returns the last line of a message's text, without terminal colours."""
    text = content.get("text", "") if kind == "stream" else content.get("data", {}).get("text/plain", "")
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def without_flush(message):
    """Removes the flush marker, which the kernel may join to a cell's output; returns None if no text remains."""
    text = message["content"].get("text", "").replace(FLUSHED + "\n", "")
    return {**message, "content": {**message["content"], "text": text}} if text else None


async def execute_beside(kernel, code):
    """Runs code while another request is pending, and returns the id of its message."""
    import zmq
    from nbclient.util import ensure_async

    name = await ensure_async(kernel.execute(code, silent=True, store_history=False))
    # Subtle: ZeroMQ's file descriptor is edge-triggered, and sending clears the edge. A reply that arrived just before would stay
    # unread; reading the socket's events wakes the waiting task.
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
                    emit("note", cell=cell_index, text=note)
            return super().process_message(msg, cell, cell_index)

        # Subtle: the Deno kernel does not publish "idle" through its queue of outputs, so the last outputs of a cell may arrive after
        # it, with the id of the next request, and nbclient would drop them. A marker printed through the same queue shows when the
        # queue is empty.
        async def _async_poll_output_msg(self, parent_msg_id, cell, cell_index):
            await super()._async_poll_output_msg(parent_msg_id, cell, cell_index)
            code = f"console.log({json.dumps(FLUSHED)});"
            names = {parent_msg_id, await execute_beside(self.kc, code)}
            is_flushed = False
            while not is_flushed:
                try:
                    message = await ensure_async(self.kc.iopub_channel.get_msg(timeout=FLUSH_SECONDS))
                except Empty:
                    # The marker can get lost: send it again.
                    names.add(await execute_beside(self.kc, code))
                    continue
                if message["msg_type"] in OUTPUTS and message["parent_header"].get("msg_id") in names:
                    is_flushed = FLUSHED in message["content"].get("text", "")
                    self.process_message(message, cell, cell_index)

    return Client


def cause(error):
    """Returns the latest error in the chain of causes that has a message."""
    while not str(error) and error.__context__ is not None:
        error = error.__context__
    return f"{type(error).__name__}: {error}"


def run(settings):
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    notebook = read(settings)
    os.environ["FATHOM_FIGURES"] = settings["figures"]
    current = {"cell": 0}

    def on_cell_start(cell, cell_index):
        current["cell"] = cell_index
        emit("cell", cell=cell_index)

    client = client_class()(
        notebook,
        kernel_name=settings["kernel"],
        timeout=None,
        iopub_timeout=60,
        allow_errors=False,
        record_timing=False,
        resources={"metadata": {"path": settings["folder"]}},
        on_cell_start=on_cell_start,
    )
    try:
        client.execute()
    except CellExecutionError as error:
        emit("error", cell=current["cell"], name=error.ename, message=error.evalue)
    except DeadKernelError:
        emit("error", cell=current["cell"], name="DeadKernel", message="the kernel ended before the cell was done")
    emit("notebook", notebook=notebook)


def report(settings):
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter
    from traitlets.config import Config

    config = Config()
    config.NbConvertBase.display_data_priority = SHOWN
    metadata = {
        "path": settings["folder"],
        "name": settings["title"],
        "origin": settings["origin"],
        "colours": HtmlFormatter(style="default").get_style_defs(".highlight"),
        "darkColours": HtmlFormatter(style="github-dark").get_style_defs(".highlight"),
    }
    exporter = HTMLExporter(
        template_name="report", embed_images=True, config=config, extra_template_basedirs=[settings["templates"]]
    )
    html, _ = exporter.from_notebook_node(read(settings), resources={"metadata": metadata})
    emit("report", html=html)


def main():
    # Subtle: nbclient shuts its kernel down when an exception propagates, so SIGTERM must raise one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    settings = json.load(sys.stdin)
    try:
        {"run": run, "report": report}[settings["action"]](settings)
    except Exception as error:
        emit("trouble", message=cause(error))
        raise


if __name__ == "__main__":
    main()
