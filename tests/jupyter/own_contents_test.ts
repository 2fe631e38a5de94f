import { deepEqual } from "node:assert/strict";

const FOLDER = new URL("../../lib/jupyter", import.meta.url).pathname;

/** Tries every change of a path on the contents manager, over one that notes what reaches it. */
const TRY = `
import asyncio, json, os, sys, types
class HTTPError(Exception): pass
class Manager:
    root_dir = os.getcwd()
    def _get_os_path(self, path): return os.path.join(self.root_dir, path.strip("/"))
    async def reach(self, *paths): return {}
    get = save = delete_file = rename_file = copy = restore_checkpoint = reach
def module(name, **values):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(values)
module("tornado"); module("tornado.web", HTTPError=HTTPError)
for name in ("jupyter_server", "jupyter_server.services", "jupyter_server.services.contents"): module(name)
module("jupyter_server.services.contents.largefilemanager", AsyncLargeFileManager=Manager)
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from own_contents import OwnContents
manager = OwnContents()
def passes(call):
    try:
        asyncio.run(call)
        return True
    except HTTPError:
        return False
def changes(path):
    return [
        manager.save({}, path), manager.delete_file(path), manager.rename_file(path, "own/a"), manager.rename_file("own/a", path),
        manager.copy("own/a", path), manager.copy(path), manager.restore_checkpoint("1", path),
    ]
print(json.dumps([[passes(call) for call in changes(path)] for path in sys.argv[2:]]))
`;

const KEPT = [
  ...["notebooks", "notebooks/a.ipynb", "/notebooks/a.ipynb", "notebooks//a.ipynb", "./notebooks/a.ipynb"],
  ...["own/link/a.ipynb", "own/a-link.ipynb", "own/link/../notebooks/a.ipynb", "own/link"],
  ...["own/../notebooks/a.ipynb", "own/x/../../notebooks/a.ipynb", "own\\..\\notebooks\\a.ipynb", "Notebooks/a.ipynb"],
];
const FREE = [
  "own/a.ipynb",
  "own/notebooks/a.ipynb",
  "notebooks-of-mine/a.ipynb",
  "notebooks/../own/a.ipynb",
  "own/free/a.ipynb",
];

Deno.test("JupyterLab changes nothing in notebooks/: it does not save, rename, delete, copy or restore there, through links either", async () => {
  const cwd = await Deno.makeTempDir();
  for (const folder of ["notebooks", "own/x"]) await Deno.mkdir(`${cwd}/${folder}`, { recursive: true });
  const links = { "own/link": "../notebooks", "own/a-link.ipynb": "link/a.ipynb", "own/free": "." };
  for (const [link, target] of Object.entries(links)) await Deno.symlink(target, `${cwd}/${link}`);
  const python = new Deno.Command("python3", { args: ["-c", TRY, FOLDER, ...KEPT, ...FREE], cwd });
  const { stdout, stderr } = await python.output();
  const found = JSON.parse(new TextDecoder().decode(stdout) || `"${new TextDecoder().decode(stderr).slice(-300)}"`);
  deepEqual(found, [...KEPT.map(() => Array(7).fill(false)), ...FREE.map(() => Array(7).fill(true))]);
});
