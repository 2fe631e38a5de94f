"""Configuration of the JupyterLab that the project opens: no news, no update check, no outputs lost."""

import collections

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop

# Seconds that "idle" waits for outputs that come after it.
GRACE = 0.06


class PatientConnection(ZMQChannelsWebsocketConnection):
    """Lets the last outputs of a cell pass before the kernel's word that the cell is done.

    Deno's kernel publishes "idle" beside, not behind, its queue of outputs, so a cell's last outputs may follow it, and
    JupyterLab drops what follows. From an "idle" on, messages wait in order for a moment, but for outputs of the same cell.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.waiting = collections.deque()
        self.idle_parent = None

    def handle_outgoing_message(self, stream, outgoing_msg):
        channel = stream if isinstance(stream, str) else getattr(stream, "channel", None)
        if channel != "iopub":
            return super().handle_outgoing_message(stream, outgoing_msg)
        if self.idle_parent is None and not self.is_idle(outgoing_msg):
            return super().handle_outgoing_message(stream, outgoing_msg)
        if self.idle_parent is not None and self.parent(outgoing_msg) == self.idle_parent:
            return super().handle_outgoing_message(stream, outgoing_msg)
        self.waiting.append((stream, outgoing_msg))
        if self.idle_parent is None:
            self.hold(outgoing_msg)

    def hold(self, message):
        self.idle_parent = self.parent(message)
        IOLoop.current().call_later(GRACE, self.release)

    def release(self):
        stream, idle = self.waiting.popleft()
        self.idle_parent = None
        super().handle_outgoing_message(stream, idle)
        while self.waiting:
            stream, message = self.waiting[0]
            if self.is_idle(message):
                self.hold(message)
                return
            self.waiting.popleft()
            super().handle_outgoing_message(stream, message)

    def parts(self, message):
        _, parts = self.session.feed_identities(list(message))
        return parts

    def parent(self, message):
        return self.session.unpack(self.parts(message)[2]).get("msg_id")

    def is_idle(self, message):
        parts = self.parts(message)
        if self.session.unpack(parts[1]).get("msg_type") != "status":
            return False
        asked = self.session.unpack(parts[2]).get("msg_type")
        return asked == "execute_request" and self.session.unpack(parts[4]).get("execution_state") == "idle"


c = get_config()  # noqa: F821
c.ServerApp.kernel_websocket_connection_class = PatientConnection
c.ServerApp.allow_root = True
c.ServerApp.answer_yes = True
c.ServerApp.log_level = "ERROR"
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"
