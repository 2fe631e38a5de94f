"""Configuration of the JupyterLab that the project opens: no news, no update check, no outputs lost, no kernel left."""

import ctypes
import logging
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(__file__))

c = get_config()  # noqa: F821
c.ServerApp.kernel_websocket_connection_class = "patient_connection.PatientConnection"
c.ServerApp.allow_root = True
c.ServerApp.answer_yes = True
c.Application.log_level = "ERROR"
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# Jupyter logs its address and its end as "critical"; deno task lab prints them in one line.
logging.getLogger("ServerApp").addFilter(lambda record: record.levelno != logging.CRITICAL)


# JupyterLab ends its kernels at SIGTERM alone: Ctrl-C, a terminal that closes, and the death of deno task lab come as that.
def stop(*_):
    os.kill(os.getpid(), signal.SIGTERM)


signal.signal(signal.SIGINT, stop)
signal.signal(signal.SIGHUP, stop)
if sys.platform == "linux":
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
