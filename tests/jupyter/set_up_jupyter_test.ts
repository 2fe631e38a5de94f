import { deepEqual, equal, match } from "node:assert/strict";
import { canServe } from "@/lib/jupyter/set_up_jupyter.ts";

const JUPYTER = '{"version": [3, 11], "parts": {"nbclient": "0.7.2", "nbconvert": "6.5.3"}}';
const PLAIN = '{"version": [3, 11], "parts": {}}';

interface Fake {
  /** What the probe of its parts prints. */
  readonly probe: string;
  /** Shell commands for \`-m venv --clear FOLDER\`; FOLDER is "$4". */
  readonly venv?: string;
  /** Shell commands for \`-m pip install …\`. */
  readonly pip?: string;
}

function script({ probe, venv = "exit 1", pip = "exit 1" }: Fake): string {
  return `#!/bin/sh\ncase "$1 $2" in\n"-m venv") ${venv} ;;\n"-m pip") ${pip} ;;\n*) echo '${probe}' ;;\nesac\n`;
}

// A virtual environment of a fake Python holds a copy of it.
const COPY = 'mkdir -p "$4/bin" && cp "$0" "$4/bin/python"';

/** Sets up Jupyter in a folder whose programs are all that the PATH has, as often as wanted; returns what each time came of it. */
async function setUp(programs: Readonly<Record<string, string>>, times = 1): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/path`);
  for (const [name, text] of Object.entries(programs)) {
    await Deno.writeTextFile(`${folder}/path/${name}`, text.replaceAll("$FOLDER", folder), { mode: 0o755 });
  }
  for (const tool of ["sh", "mkdir", "cp", "sleep"]) await Deno.symlink(`/bin/${tool}`, `${folder}/path/${tool}`);
  const results: string[] = [];
  const args = ["run", "-A", "--no-check", "--quiet", new URL("_set_up.ts", import.meta.url).pathname, folder];
  for (let time = 0; time < times; time++) {
    const { stdout } = await new Deno.Command(Deno.execPath(), { args, env: { PATH: `${folder}/path` } }).output();
    results.push(new TextDecoder().decode(stdout).trim().replaceAll(folder, "$FOLDER"));
  }
  await Deno.remove(folder, { recursive: true });
  return results;
}

Deno.test("setUpJupyter() takes a Jupyter on the PATH as it is", async () => {
  deepEqual(await setUp({ python3: script({ probe: JUPYTER }) }), ["python3"]);
});

Deno.test("setUpJupyter() installs once, and finds it done the second time", async () => {
  const pip = 'echo "Collecting anyio==4.16.0"; test ! -e "$FOLDER/installed" && echo x > "$FOLDER/installed"';
  const own = "$FOLDER/.venv/bin/python";
  deepEqual(await setUp({ python3: script({ probe: PLAIN, venv: COPY, pip }) }, 2), [own, own]);
});

Deno.test("setUpJupyter() takes a newer Python beside an old one", async () => {
  const old = script({ probe: '{"version": [3, 9], "parts": {}}' });
  const newer = script({ probe: PLAIN, venv: COPY, pip: "exit 0" });
  deepEqual(await setUp({ python3: old, "python3.12": newer }), ["$FOLDER/.venv/bin/python"]);
});

const BROKEN =
  `echo "WARNING: Retrying after connection broken by '[Errno 111] Connection refused'"; echo ERROR: none; exit 1`;

Deno.test.each([
  [
    "no Python",
    undefined,
    /^Cannot set up Jupyter as Python must be 3\.10 or newer: current value is none\n.*apt install python3/,
  ],
  ["an old Python", { probe: '{"version": [3, 9], "parts": {}}' }, /must be 3\.10 or newer: current value is 3\.9\n/],
  [
    "no venv module",
    { probe: PLAIN, venv: 'echo "The virtual environment was not created: ensurepip is not available."; exit 1' },
    /^Cannot set up Jupyter as python3 must make a virtual environment: current value is "The virtual .*\n.*sudo apt install python3\.11-venv$/,
  ],
  [
    "no package index",
    { probe: PLAIN, venv: COPY, pip: BROKEN },
    /^Cannot .* pip must install the pinned packages: current value is ".* Connection refused'"\n[^]*apt install python3-nbclient python3-nbconvert[^]*PIP_INDEX_URL/,
  ],
  [
    "another error of pip",
    { probe: PLAIN, venv: COPY, pip: 'echo "ERROR: No space left on device" >&2; exit 1' },
    /^Cannot .* pip must install the pinned packages: current value is "ERROR: No space left on device"\n/,
  ],
] as [string, Fake | undefined, RegExp][])(
  "setUpJupyter() names the cause and a remedy for %s",
  async (_name, fake, message) => {
    const [result] = await setUp(fake === undefined ? {} : { python3: script(fake) });
    match(result!, message);
  },
);

Deno.test.each([
  ["what Debian 12 packages", { nbclient: "0.7.2", nbconvert: "6.5.3" }, true, false],
  ["an older nbclient", { nbclient: "0.6.8", nbconvert: "7.17.2" }, false, false],
  ["an older nbconvert", { nbclient: "0.11.0", nbconvert: "6.4.9" }, false, false],
  ["no nbconvert", { nbclient: "0.11.0" }, false, false],
  ["the classic JupyterLab", { nbclient: "0.11.0", nbconvert: "7.17.2", jupyterlab: "3.6.8" }, true, false],
  ["the pinned parts", { nbclient: "0.11.0", nbconvert: "7.17.2", jupyterlab: "4.6.6" }, true, true],
] as [string, Record<string, string>, boolean, boolean][])("canServe() judges %s", (_name, parts, runs, opens) => {
  const python = { program: "python3", version: [3, 11], parts } as const;
  equal(canServe(python, "run"), runs);
  equal(canServe(python, "lab"), opens);
});
