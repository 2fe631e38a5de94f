import { deepEqual, equal, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { isTagged, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { openStudy, readRun, readStudyFile, type Study } from "@/lib/runs/mod.ts";
import { RUNS_FOLDER } from "@/lib/runs/manifest.ts";

const STUDIES = new URL("../../data/studies/", import.meta.url);
const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);

/** The studies that a notebook opens with its parameters as they stand, by the name of their file. */
async function studiesOf(notebook: string): Promise<ReadonlyMap<string, Study>> {
  const { cells } = parseNotebook(await Deno.readTextFile(new URL(notebook, NOTEBOOKS)));
  const code = cells.filter(({ kind }) => kind === "code").map((cell) => ({ cell, source: cell.source }));
  const imports = code.find(({ source }) => source.startsWith("import "))!.source;
  const parameters = code.find(({ cell }) => isTagged(cell, "parameters"))!.source;
  const reading = code.filter(({ source }) => source.includes("readStudyFile(")).map(({ source }) => source);
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    // The kernel's place is notebooks/; asking is where reading ends.
    await Deno.writeTextFile(
      file,
      `import { readStudyFile as readFile } from "@/lib/runs/mod.ts";
${imports.replace(/\breadStudyFile, /, "").replace(/(, )?\bopenRuns\b/, "")}
export const studies = new Map();
const openRuns = () => { throw new Error("enough"); };
const readStudyFile = async (path, changes, options) => {
  const url = new URL(path, ${JSON.stringify(NOTEBOOKS.href)});
  const study = await readFile(url.pathname, changes, options);
  studies.set(url.pathname.split("/").at(-1), study);
  return study;
};
const Deno = { jupyter: {} };
const console = { log() {} };
try {
${parameters}
${reading.join("\n")}
} catch (error) {
  if (error.message !== "enough") throw error;
}
`,
    );
    return (await import(`file://${file}`)).studies;
  } finally {
    await Deno.remove(file);
  }
}

/** The hash of the first sample of each task at the least length of a study, as the shell records it. */
async function askedInShell(...flags: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const name = `test-${crypto.randomUUID()}`;
  try {
    const { code, told } = await shell("run", ...flags, "--samples", "1", "--model", "sim:mute", "--name", name);
    equal(code, 0, told.join("\n"));
    const { records } = await readRun(name);
    return Object.fromEntries(records.map(({ task, sha256 }) => [task, sha256]));
  } finally {
    await Deno.remove(`${RUNS_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
}

/** The same, as a notebook makes them of its study. */
async function madeOf(study: Study): Promise<Readonly<Record<string, string>>> {
  const { tasks, materials } = await openStudy(study);
  const request = { length: Math.min(...study.lengths), seed: study.seed, index: study.first, materials };
  const fitting = tasks.filter((task) => task.leastLength(materials) <= request.length);
  return Object.fromEntries(fitting.map((task) => [task.name, task.sample(request).sha256]));
}

const opened = new Map<string, Study>();
for await (const { name } of Deno.readDir(NOTEBOOKS)) {
  if (name.endsWith(".ipynb")) { for (const [file, study] of await studiesOf(name)) opened.set(file, study); }
}

for await (const { name: file } of Deno.readDir(STUDIES)) {
  Deno.test(`data/studies/${file} gives the same samples in the shell and in a notebook`, async () => {
    const path = new URL(file, STUDIES).pathname;
    const own = await readStudyFile(path);
    const study = opened.get(file) ?? own;
    deepEqual(study, own, "a notebook's parameters say what its study file says");
    deepEqual(
      await askedInShell("--study", path, "--lengths", `${Math.min(...study.lengths)}`),
      await madeOf(study),
    );
  });
}

Deno.test("every notebook opens its study from a file", () => {
  const numbers = new Set([...opened.keys()].map((file) => file.slice(0, 2)));
  deepEqual([...numbers].toSorted(), ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]);
  ok(opened.size >= 17);
});

Deno.test("flags and parameters change a study file in the same way", async () => {
  const path = new URL("10-cdme.yaml", STUDIES).pathname;
  const flags = ["--lengths", "1500", "--seed", "7", "--set", "depths=3", "--first", "1"];
  const study = await readStudyFile(path, { lengths: [1500], seed: "7", first: 1, set: { depths: 3 } });
  deepEqual(await askedInShell("--study", path, ...flags), await madeOf(study));
});
