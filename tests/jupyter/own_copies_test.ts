import { deepEqual, equal } from "node:assert/strict";
import { withFolder } from "../_folder.ts";
import { code, notebook, prose, tagged } from "./_cells.ts";
import { formatNotebook, isTagged, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { copyNotebooks, keepCopy } from "@/lib/jupyter/lab.ts";

const FIRST = formatNotebook(notebook(prose("# T"), code("const samples = 3;"), code("samples;")));
const CHANGED = FIRST.replace("# T", "# A better title");

/** Makes a project with one notebook and its copy, and gives the paths of both. */
async function withCopy(
  use: (paths: { folder: string; original: string; copy: string }) => Promise<void>,
): Promise<void> {
  await withFolder({ "notebooks/01-first.ipynb": FIRST }, async (folder) => {
    deepEqual(await copyNotebooks(folder), [{ name: "01-first", state: "made" }]);
    await use({ folder, original: `${folder}/notebooks/01-first.ipynb`, copy: `${folder}/own/01-first.ipynb` });
  });
}

async function edit(file: string, from: string, to: string): Promise<void> {
  await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replace(from, to));
}

async function stateOf(folder: string): Promise<string | undefined> {
  return (await copyNotebooks(folder))[0]?.state;
}

Deno.test("copyNotebooks() makes a copy with the same cells, and leaves it while its notebook stays the same", async () => {
  await withCopy(async ({ folder, copy }) => {
    deepEqual(parseNotebook(await Deno.readTextFile(copy)).cells, parseNotebook(FIRST).cells);
    await edit(copy, "samples = 3", "samples = 5");
    const edited = await Deno.readTextFile(copy);
    equal(await stateOf(folder), "same");
    equal(await Deno.readTextFile(copy), edited);
  });
});

Deno.test("copyNotebooks() renews a copy that was run but not edited, once its notebook changes", async () => {
  await withCopy(async ({ folder, original, copy }) => {
    await edit(copy, '"execution_count": null', '"execution_count": 1');
    await Deno.writeTextFile(original, CHANGED);
    equal(await stateOf(folder), "renewed");
    deepEqual(parseNotebook(await Deno.readTextFile(copy)).cells, parseNotebook(CHANGED).cells);
    equal(await stateOf(folder), "same");
  });
});

Deno.test("copyNotebooks() keeps a copy that was edited, and what is no notebook, when the notebook changes", async () => {
  await withCopy(async ({ folder, original, copy }) => {
    await Deno.writeTextFile(original, CHANGED);
    for (const text of [(await Deno.readTextFile(copy)).replace("samples = 3", "samples = 5"), "mine", FIRST]) {
      await Deno.writeTextFile(copy, text);
      equal(await stateOf(folder), "kept");
      equal(await Deno.readTextFile(copy), text);
    }
    await Deno.remove(copy);
    equal(await stateOf(folder), "made");
    equal(await Deno.readTextFile(original), CHANGED);
  });
});

Deno.test("keepCopy() keeps a copy for its report, with the parameters that were changed in it as injected ones", async () => {
  const bindings = 'const samples = 3; // of each\nconst model = "sim:ideal";';
  const original = formatNotebook(notebook(prose("# T"), tagged("parameters", bindings), code("samples;")));
  await withFolder({ "notebooks/01-first.ipynb": original }, async (folder) => {
    await copyNotebooks(folder);
    await edit(`${folder}/own/01-first.ipynb`, "samples = 3", "samples = 5");
    equal(await keepCopy(folder, "01-first"), "01-first.own");
    const { cells } = parseNotebook(await Deno.readTextFile(`${folder}/results/reports/01-first.own.ipynb`));
    deepEqual(cells.slice(1, 3).map(({ source }) => source), [bindings, "const samples = 5;"]);
    equal(isTagged(cells[2]!, "injected-parameters"), true);
    equal(await keepCopy(folder, "02-second"), undefined);
  });
});

Deno.test("keepCopy() leaves a copy as it is where no parameter was changed, or its names are others", async () => {
  const original = formatNotebook(notebook(tagged("parameters", "const samples = 3;"), code("samples;")));
  for (const changed of ["const samples = 3;", "const size = 3;", "const samples = 5;\\nconst more = 1;"]) {
    await withFolder({ "notebooks/01-first.ipynb": original }, async (folder) => {
      await copyNotebooks(folder);
      await edit(`${folder}/own/01-first.ipynb`, "const samples = 3;", changed);
      await keepCopy(folder, "01-first");
      const { cells } = parseNotebook(await Deno.readTextFile(`${folder}/results/reports/01-first.own.ipynb`));
      deepEqual(cells.map(({ source }) => source), [changed.replace("\\n", "\n"), "samples;"]);
    });
  }
});
