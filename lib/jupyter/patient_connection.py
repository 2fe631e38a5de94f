"""A connection from JupyterLab to a kernel that neither loses nor misplaces an output of Deno's kernel.

Deno's kernel publishes "idle" beside, not behind, its queue of outputs: a cell's last outputs may follow the word that the
cell is done, and then count as outputs of the next cell where one is waiting already. So cells go to the kernel one at a
time, and "idle" reaches JupyterLab a moment later than it comes.
"""

import collections
import json

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop

# Seconds that outputs may come after "idle"; nearly all come within 0.001, on a busy machine within 0.03.
GRACE = 0.05


class PatientConnection(ZMQChannelsWebsocketConnection):
    """Sends the next cell when the outputs of the one before have come."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.queued_cells = collections.deque()
        self.running_cell = None

    def handle_incoming_message(self, incoming_msg):
        header = incoming_header(incoming_msg, self.subprotocol)
        if header.get("msg_type") != "execute_request":
            super().handle_incoming_message(incoming_msg)
        elif self.running_cell is None:
            self.run_cell(header, incoming_msg)
        else:
            self.queued_cells.append((header, incoming_msg))

    def run_cell(self, header, message):
        self.running_cell = header.get("msg_id")
        super().handle_incoming_message(message)

    def handle_outgoing_message(self, stream, outgoing_msg):
        if self.running_cell is not None and idle_request(self.session, outgoing_msg) == self.running_cell:
            IOLoop.current().call_later(GRACE, self.finish_cell, stream, outgoing_msg)
        else:
            super().handle_outgoing_message(stream, outgoing_msg)

    def finish_cell(self, stream, idle):
        if self.channels:
            super().handle_outgoing_message(stream, idle)
        self.running_cell = None
        if self.queued_cells:
            self.run_cell(*self.queued_cells.popleft())

    def on_kernel_restarted(self):
        self.queued_cells.clear()
        self.running_cell = None
        super().on_kernel_restarted()


def incoming_header(message, subprotocol):
    if subprotocol == "v1.kernel.websocket.jupyter.org":
        _, parts = deserialize_msg_from_ws_v1(message)
        return json.loads(bytes(parts[0]))
    return json.loads(message).get("header", {}) if isinstance(message, str) else {}


def idle_request(session, message):
    """Which request a message says is done; None for any other message."""
    _, parts = session.feed_identities(list(message))
    header, parent, _, content = (session.unpack(part) for part in parts[1:5])
    is_idle = header.get("msg_type") == "status" and content.get("execution_state") == "idle"
    return parent.get("msg_id") if is_idle else None
