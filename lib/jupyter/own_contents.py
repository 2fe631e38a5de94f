"""The project's files as JupyterLab sees them: notebooks/ can be opened and run but not saved, as only a fresh run changes it."""

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError

KEPT = "notebooks/"


class OwnContents(AsyncLargeFileManager):
    async def get(self, path, *args, **kwargs):
        model = await super().get(path, *args, **kwargs)
        # JupyterLab shows such a file as read-only, and does not save it by itself.
        return {**model, "writable": False} if is_kept(path) else model

    async def save(self, model, path=""):
        if is_kept(path):
            raise HTTPError(403, "notebooks/ changes by deno task reproduce alone: your copies are in own/")
        return await super().save(model, path)


def is_kept(path):
    return path.strip("/").startswith(KEPT)
