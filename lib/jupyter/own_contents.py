"""Makes notebooks/ read-only in JupyterLab: its notebooks can be opened and run, but only deno task reproduce changes them."""

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError

KEPT = "notebooks/"


class OwnContents(AsyncLargeFileManager):
    async def get(self, path, *args, **kwargs):
        model = await super().get(path, *args, **kwargs)
        # JupyterLab shows such a file as read-only and does not autosave it.
        return {**model, "writable": False} if is_kept(path) else model

    async def save(self, model, path=""):
        if is_kept(path):
            raise HTTPError(403, "only deno task reproduce changes notebooks/: edit your copy in own/")
        return await super().save(model, path)


def is_kept(path):
    return path.strip("/").startswith(KEPT)
