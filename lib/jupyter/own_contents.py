"""Makes notebooks/ read-only in JupyterLab: its notebooks can be opened and run, but only deno task reproduce changes them."""

import os

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError

KEPT = "notebooks"
REFUSAL = "only deno task reproduce changes notebooks/: edit your copy in own/"


class OwnContents(AsyncLargeFileManager):
    async def get(self, path, *args, **kwargs):
        model = await super().get(path, *args, **kwargs)
        # JupyterLab shows such a file as read-only and does not autosave it.
        return {**model, "writable": False} if self.is_kept(path) else model

    async def save(self, model, path=""):
        self.refuse_kept(path)
        return await super().save(model, path)

    async def delete_file(self, path):
        self.refuse_kept(path)
        return await super().delete_file(path)

    async def rename_file(self, old_path, new_path):
        self.refuse_kept(old_path, new_path)
        return await super().rename_file(old_path, new_path)

    async def copy(self, from_path, to_path=None):
        # Without a place of its own, a copy lies beside its original.
        self.refuse_kept(from_path if to_path is None else to_path)
        return await super().copy(from_path, to_path)

    async def restore_checkpoint(self, checkpoint_id, path):
        self.refuse_kept(path)
        return await super().restore_checkpoint(checkpoint_id, path)

    def refuse_kept(self, *paths):
        if any(self.is_kept(path) for path in paths):
            raise HTTPError(403, REFUSAL)

    def is_kept(self, path):
        """Whether a path is notebooks/ or in it, whatever steps, slashes and links lead there."""
        kept, place = (os.path.realpath(self._get_os_path(each)).lower() for each in (KEPT, path.replace("\\", "/")))
        return place == kept or place.startswith(kept + os.sep)
