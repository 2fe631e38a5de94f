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

async function setUp(
  programs: Readonly<Record<string, string>>,
  { times = 1 }: { readonly times?: number } = {},
): Promise<{ said: string[]; folder: string }> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/path`);
  for (const [name, text] of Object.entries(programs)) {
    await Deno.writeTextFile(`${folder}/path/${name}`, text.replaceAll("$FOLDER", folder), { mode: 0o755 });
  }
  for (const tool of ["sh", "mkdir", "cp", "sleep"]) await Deno.symlink(`/bin/${tool}`, `${folder}/path/${tool}`);
  const said: string[] = [];
  for (let time = 0; time < times; time++) {
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--quiet",
        new URL("_set_up.ts", import.meta.url).pathname,
        folder,
      ],
      env: { PATH: `${folder}/path` },
    });
    said.push(new TextDecoder().decode((await command.output()).stdout).trim().replaceAll(folder, "$FOLDER"));
  }
  await Deno.remove(folder, { recursive: true });
  return { said, folder };
}

Deno.test("setUpJupyter() takes a Jupyter on the PATH as it is", async () => {
  const { said } = await setUp({ python3: script({ probe: JUPYTER }) });
  deepEqual(said, ["PATH python3"]);
});

Deno.test("setUpJupyter() finds the Python behind a jupyter command", async () => {
  const jupyter = "#!$FOLDER/path/python-of-its-own\nimport sys\n";
  const { said } = await setUp({
    python3: script({ probe: PLAIN }),
    "python-of-its-own": script({ probe: JUPYTER }),
    jupyter,
  });
  deepEqual(said, ["PATH $FOLDER/path/python-of-its-own"]);
});

Deno.test("setUpJupyter() installs once, and finds it done the second time", async () => {
  const pip =
    'echo "Collecting anyio==4.16.0"; echo "Installing collected packages: anyio"; echo x >> "$FOLDER/installed"';
  const { said } = await setUp({ python3: script({ probe: PLAIN, venv: COPY, pip }) }, { times: 2 });
  deepEqual(said, [".venv $FOLDER/.venv/bin/python", ".venv $FOLDER/.venv/bin/python"]);
});

Deno.test("setUpJupyter() says which Python is wanted where there is none", async () => {
  const { said } = await setUp({});
  match(
    said[0] ?? "",
    /^Cannot set up Jupyter as Python must be 3\.10 or newer: current value is none\n.*apt install python3/,
  );
});

Deno.test("setUpJupyter() passes over an old Python for a newer one", async () => {
  const old = script({ probe: '{"version": [3, 9], "parts": {}}' });
  equal(
    (await setUp({ python3: old })).said[0]?.split("\n")[0],
    "Cannot set up Jupyter as Python must be 3.10 or newer: current value is 3.9",
  );
  const newer = script({ probe: PLAIN, venv: COPY, pip: "exit 0" });
  deepEqual((await setUp({ python3: old, "python3.12": newer })).said, [".venv $FOLDER/.venv/bin/python"]);
});

Deno.test("setUpJupyter() names the package with a missing venv module", async () => {
  const venv =
    'echo "The virtual environment was not created successfully because ensurepip is not available."; exit 1';
  const { said } = await setUp({ python3: script({ probe: PLAIN, venv }) });
  match(
    said[0] ?? "",
    /^Cannot set up Jupyter as python3 must make a virtual environment: current value is "The virtual /,
  );
  match(said[0] ?? "", /sudo apt install python3\.11-venv$/);
});

Deno.test("setUpJupyter() prints pip's reason and remedies if the package index is unreachable", async () => {
  const pip =
    `echo "WARNING: Retrying after connection broken by 'Failed to establish: [Errno 111] Connection refused'"; exit 1`;
  const { said } = await setUp({ python3: script({ probe: PLAIN, venv: COPY, pip }) });
  match(said[0] ?? "", /^Cannot .* pip must install the pinned packages: current value is "Connection refused"\n/);
  match(said[0] ?? "", /apt install python3-nbclient python3-nbconvert/);
  match(said[0] ?? "", /PIP_INDEX_URL/);
});

Deno.test("setUpJupyter() prints pip's last error if something else is wrong", async () => {
  const pip = 'echo "ERROR: No space left on device" >&2; exit 1';
  const { said } = await setUp({ python3: script({ probe: PLAIN, venv: COPY, pip }) });
  match(
    said[0] ?? "",
    /^Cannot .* pip must install the pinned packages: current value is "ERROR: No space left on device"\n/,
  );
});

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
