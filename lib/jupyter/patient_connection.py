"""A connection from JupyterLab to the Deno kernel that neither loses nor misplaces an output.

The Deno kernel does not publish "idle" through its queue of outputs: the last outputs of a cell may arrive after "idle", and are then
assigned to the next queued cell. So this connection sends one cell at a time to the kernel, and delays "idle". The Deno kernel also
keeps running queued cells after an error; this connection aborts them, as other kernels do.
"""

import collections
import json

from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.ioloop import IOLoop

# Seconds to wait for outputs after "idle"; nearly all arrive within 0.001, on a busy machine within 0.03.
GRACE = 0.05


class PatientConnection(ZMQChannelsWebsocketConnection):
    """Sends the next cell after the outputs of the previous one have arrived."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.queued_cells = collections.deque()
        self.running_cell = None
        self.has_failed = False

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
        self.has_failed = False
        super().handle_incoming_message(message)

    def handle_outgoing_message(self, stream, outgoing_msg):
        kind, request, content = read_message(self.session, outgoing_msg)
        if self.running_cell is None or request != self.running_cell:
            super().handle_outgoing_message(stream, outgoing_msg)
        elif kind == "status" and content.get("execution_state") == "idle":
            IOLoop.current().call_later(GRACE, self.finish_cell, stream, outgoing_msg)
        else:
            self.has_failed |= kind == "execute_reply" and content.get("status") == "error"
            super().handle_outgoing_message(stream, outgoing_msg)

    def finish_cell(self, stream, idle):
        if self.channels:
            super().handle_outgoing_message(stream, idle)
        self.running_cell = None
        if self.has_failed:
            self.abort_cells()
        elif self.queued_cells:
            self.run_cell(*self.queued_cells.popleft())

    def abort_cells(self):
        while self.queued_cells and self.channels:
            header, _ = self.queued_cells.popleft()
            self.publish("shell", "execute_reply", {"status": "aborted", "execution_count": 0}, header)
            self.publish("iopub", "status", {"execution_state": "idle"}, header)

    def publish(self, channel, kind, content, request):
        message = self.session.serialize(self.session.msg(kind, content, parent=request))
        super().handle_outgoing_message(self.channels[channel], message)

    def on_kernel_restarted(self):
        self.queued_cells.clear()
        self.running_cell = None
        super().on_kernel_restarted()


def incoming_header(message, subprotocol):
    if subprotocol == "v1.kernel.websocket.jupyter.org":
        _, parts = deserialize_msg_from_ws_v1(message)
        return json.loads(bytes(parts[0]))
    return json.loads(message).get("header", {}) if isinstance(message, str) else {}


def read_message(session, message):
    """Returns the type of a message, the id of its request, and its content."""
    _, parts = session.feed_identities(list(message))
    header, parent, _, content = (session.unpack(part) for part in parts[1:5])
    return header.get("msg_type"), parent.get("msg_id"), content
