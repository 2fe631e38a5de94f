import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { shell } from "./_shell.ts";
import { openRuns } from "@/lib/jupyter/mod.ts";
import { isTagged, parseNotebook } from "@/lib/jupyter/notebook.ts";
import { readRun, type RunRecord } from "@/lib/records/mod.ts";
import { readStudyFile, RUNS_FOLDER, type Study } from "@/lib/studies/mod.ts";

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
      `import { readStudyFile as readFile } from "@/lib/studies/mod.ts";
${imports.replace(/\breadStudyFile, |, readStudyFile\b(?= })/, "").replace(/(, )?\bopenRuns\b/, "")}
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
${reading.join("\n").replaceAll(/\b\w+\.(?=(?:readStudyFile|openRuns)\()/g, "")}
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

type Hashes = Readonly<Record<string, string>>;

function hashesOf(records: readonly RunRecord[]): Hashes {
  return Object.fromEntries(records.map(({ sample, sha256 }) => [sample, sha256]));
}

/** The hash of each sample by its id, as the shell records it. */
async function askedInShell(...flags: readonly string[]): Promise<Hashes> {
  const name = `test-${crypto.randomUUID()}`;
  try {
    const { code, err } = await shell("run", ...flags, "--model", "sim:mute", "--name", name);
    equal(code, 0, err.join("\n"));
    return hashesOf((await readRun(name)).records);
  } finally {
    await Deno.remove(`${RUNS_FOLDER}/${name}`, { recursive: true }).catch(() => {});
  }
}

/** The same, as a notebook asks its study. */
async function askedInNotebook(study: Study): Promise<Hashes> {
  const [run] = await openRuns(study, { model: "sim:mute", name: "test", display: () => Promise.resolve() });
  return hashesOf(run.records);
}

/** Studies of a hundred settings and more, which take long to plan. */
const LONG = [
  "needle-threading.yaml",
  "needle-threading-cells.yaml",
];

/** Studies of each benchmark that are quickly asked. */
const CLOSE = ["01-leaderboard.yaml", "07-editions.yaml", "08-threads.yaml", "09-tests.yaml", "10-cdme.yaml"];

const opened = new Map<string, Study>();
/** The numbers of the notebooks that open a study. */
const opening = new Set<string>();
for await (const { name } of Deno.readDir(NOTEBOOKS)) {
  if (!name.endsWith(".ipynb")) continue;
  for (const [file, study] of await studiesOf(name)) {
    opened.set(file, study);
    opening.add(name.slice(0, 2));
  }
}

const files = (folder: string): string[] =>
  Array.from(Deno.readDirSync(new URL(folder, STUDIES)), ({ name }) => folder + name)
    .filter((file) => file.endsWith(".yaml")).sort();

for (const file of [...files(""), ...files("measured/")]) {
  Deno.test(`data/studies/${file} gives the same samples in the shell and in a notebook`, async () => {
    const path = new URL(file, STUDIES).pathname;
    const own = await readStudyFile(path);
    const study = opened.get(file) ?? own;
    deepEqual(study, own, "a notebook's parameters say what its study file says");
    if (LONG.includes(file) && !cases(false, true)) return;
    // The first sample of each task at the shortest length; of a few studies, more samples at their two shortest lengths.
    const [shortest = 0, second = shortest] = study.lengths.toSorted((left, right) => left - right);
    const isClose = cases(false, true) && CLOSE.includes(file);
    const [lengths, samples] = [isClose ? [shortest, second] : [shortest], isClose ? 3 : 1];
    const flags = ["--study", path, "--lengths", lengths.join(","), "--samples", `${samples}`];
    const hashes = await askedInShell(...flags);
    ok(Object.keys(hashes).length > 0);
    deepEqual(hashes, await askedInNotebook({ ...study, lengths, samples }));
  });
}

Deno.test("every notebook opens its study from a file", () => {
  // Notebook 14 compares runs that it does not ask; there are no notebooks 12 and 13.
  const all = Array.from({ length: 20 }, (_, number) => `${number}`.padStart(2, "0"));
  const withStudy = all.filter((number) => !["12", "13", "14"].includes(number));
  deepEqual([...opening].toSorted(), withStudy);
  ok(opened.size >= 17);
});

Deno.test("flags and parameters change a study file in the same way", async () => {
  const path = new URL("10-cdme.yaml", STUDIES).pathname;
  const flags = ["--samples", "2", "--lengths", "1500", "--seed", "7", "--set", "depths=3", "--first-sample", "1"];
  const study = await readStudyFile(path, { samples: 2, lengths: [1500], seed: "7", first: 1, set: { depths: 3 } });
  deepEqual(await askedInShell("--study", path, ...flags), await askedInNotebook(study));
});
