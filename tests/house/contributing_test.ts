import { deepEqual, equal, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { checkStudy, openStudy } from "@/lib/mod.ts";

const PAGES = ["CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "README.md", "docs/add-a-suite.md"];

const HOUSE_TEST = "tests/house/house_test.ts";

/** The files and folders of this project that a page names; those it stands for others with, such as `NN-`, left out. */
function listPaths(page: string, folder = "."): string[] {
  const text = page.replace(/^```.*?^```/gms, "");
  const quoted = Array.from(text.matchAll(/`([^`\s]+)(?:\s[^`]*)?`/g), ([, path]) => path!);
  const linked = Array.from(text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g), ([, path]) => join(folder, path!));
  const isPath = /^(?:lib|tests|data|docs|notebooks|results|\.ci|\.github)\/|^deno\.json$|\.md$/;
  return [...quoted, ...linked].filter((path) => isPath.test(path) && !/[<>*]|NN|NAME|…/.test(path));
}

Deno.test.each(PAGES.map((page) => [page]))("%s names files that exist", async (page) => {
  const paths = listPaths(await Deno.readTextFile(page), dirname(page));
  ok(paths.length > 0);
  // Git does not keep a run's records and reports.
  const kept = paths.filter((path) => !/^results\/(?:runs|reports)/.test(path));
  deepEqual(kept.filter((path) => !existsSync(path)), []);
});

Deno.test("listPaths() finds paths in words and links, not in code or for all of a kind", () => {
  const page =
    "See `lib/text/mod.ts` and [this](docs/shell.md#top), `deno task ok`, `data/studies/NN.yaml`, `lib/<room>`.\n" +
    "```ts\n`lib/nowhere.ts`\n```\nor `tests/a_test.ts -- --update`";
  deepEqual(listPaths(page), ["lib/text/mod.ts", "tests/a_test.ts", "docs/shell.md"]);
});

Deno.test("the hosted workflow runs .ci/run and nothing else of its own", async () => {
  const workflow = await Deno.readTextFile(".github/workflows/check.yml");
  deepEqual(workflow.match(/run: .*/g), ["run: .ci/run"]);
});

/** Runs Deno in a folder and gives what it prints; it must succeed, save that the house's own test may find other faults. */
async function runDeno(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  const all = text + new TextDecoder().decode(stderr);
  if (!args.includes(HOUSE_TEST)) equal(code, 0, `deno ${args.join(" ")}\n${all}`);
  return args.includes(HOUSE_TEST) ? all : text;
}

/** A place in a file, and what is put after it. */
interface Patch {
  readonly path: string;
  readonly after: string;
  readonly added: string;
}

/** The rows of CONTRIBUTING.md that add a line: a task, a knob and its use, an endpoint option, a statistic. */
const PATCHES: readonly Patch[] = [
  {
    path: "lib/benchmarks/ruler/niah.ts",
    after: '    "niah_multikey_1": { keys: 4 },\n',
    added: '    "niah_multikey_9": { keys: 9 },\n',
  },
  {
    path: "lib/benchmarks/ruler/niah.ts",
    after: "const KNOBS = {\n",
    added: '  tone: oneOf(["plain", "loud"], "how the question is asked", { omitDefault: true }),\n',
  },
  {
    path: "lib/benchmarks/ruler/niah.ts",
    after: "    const references = placed.slice(number * targets, (number + 1) * targets).map(({ value }) => value);\n",
    added: '    const loudly = settings.tone === "loud" ? " Answer loudly!" : "";\n',
  },
  {
    path: "lib/benchmarks/ruler/niah.ts",
    after: "measure(filler.beforeQuestion + question",
    added: " + loudly",
  },
  {
    path: "lib/models/endpoint_options.ts",
    after: "export const ENDPOINT_OPTIONS = {\n",
    added:
      '  minP: { ...number({ from: 0, to: 1 }, "least share of the likeliest token"), takes: "number", field: "min_p" },\n',
  },
  {
    path: "lib/statistics/mod.ts",
    after: " * @module\n */\n",
    added: 'export { scoreRange } from "./score_range.ts";\n',
  },
  { path: "lib/mod.ts", after: "  scoredRows,\n", added: "  scoreRange,\n" },
];

/** The files that those rows ask for. */
const FILES: ReadonlyMap<string, string> = new Map([
  [
    "lib/statistics/score_range.ts",
    `/**
 * Gives the range of scores: the highest less the lowest.
 *
 * @throws {RangeError} If there is none.
 */
export function scoreRange(scores: readonly number[]): number {
  if (scores.length === 0) {
    throw new RangeError("Cannot take the range as scores must be at least one: current value is 0");
  }
  return Math.max(...scores) - Math.min(...scores);
}
`,
  ],
  [
    "tests/statistics/score_range_test.ts",
    `import { equal, throws } from "node:assert/strict";
import { scoreRange } from "@/lib/statistics/mod.ts";

Deno.test("scoreRange() is the highest less the lowest, in any order", () => {
  equal(scoreRange([20, 90, 50]), 70);
  equal(scoreRange([90, 50, 20]), 70);
  throws(() => scoreRange([]), RangeError);
});
`,
  ],
]);

/** What the house test must not complain of: the names that the patches bring. */
const ADDED = /scoreRange|score_range/;

/** Tasks that the patched copy is asked: one that knows the new knob and does not set it, and a new one. */
const NAMED = ["niah_single_2", "niah_multikey_9"];

async function patch(folder: string, { path, after, added }: Patch): Promise<void> {
  const text = await Deno.readTextFile(`${folder}/${path}`);
  equal(text.split(after).length, 2, `${path} must have one place for ${added}`);
  await Deno.writeTextFile(`${folder}/${path}`, text.replace(after, () => after + added));
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

const COPIED = ["lib", "data", "docs", "notebooks", "tests", "deno.json", "deno.lock"];

const ENOUGH = "what CONTRIBUTING.md says to write for a task, knob, endpoint option and statistic is enough";

Deno.test(ENOUGH, { ignore: cases(true, false) }, async () => {
  await inFolder(async (folder) => {
    for (const path of [...COPIED, ...PAGES.filter((page) => !page.includes("/"))]) {
      await cp(path, `${folder}/${path}`, { recursive: true });
    }
    for (const [path, text] of FILES) await write(`${folder}/${path}`, text);
    for (const each of PATCHES) await patch(folder, each);
    const touched = [...new Set([...FILES.keys(), ...PATCHES.map(({ path }) => path)])];
    const fathom = (...args: string[]): Promise<string> =>
      runDeno(folder, "run", "--no-check", "-A", "lib/cli/main.ts", ...args);
    const short = ["--length", "2048", "--samples", "2"];
    const [, , , , house, knob, help, table] = await Promise.all([
      runDeno(folder, "check", "--quiet", ...touched),
      runDeno(folder, "lint", "--quiet", ...touched),
      runDeno(folder, "fmt", "--check", "--quiet", ...touched),
      runDeno(folder, "test", "--quiet", "--no-check", "-A", "tests/statistics/score_range_test.ts"),
      runDeno(folder, "test", "--quiet", "--no-check", "-A", HOUSE_TEST),
      fathom("generate", "--task", "niah", "--set", "tone=loud", ...short),
      fathom("run", "--help-all"),
      fathom("run", "--tasks", NAMED.join(","), ...short, "--model", "sim:ideal", "--name", "a"),
    ]);
    deepEqual(house.split("\n").filter((line) => ADDED.test(line)), []);
    match(knob, /mentioned in the provided text\? Answer loudly!/);
    match(help, /--min-p <number> +least share of the likeliest token/);
    match(table, new RegExp(NAMED.join("[^]*")));
    // A knob whose default is omitted changes neither id nor text of a task that does not set it.
    const records = await Deno.readTextFile(`${folder}/results/runs/a/records.jsonl`);
    const { tasks: [task], materials } = await openStudy(checkStudy({ tasks: ["niah_single_2"] }));
    const { id, sha256 } = task!.sample({ length: 2048, seed: "42", index: 0, materials });
    const same = records.trimEnd().split("\n").map((line) => JSON.parse(line)).filter(({ sample }) => sample === id);
    deepEqual(same.map((record) => record.sha256), [sha256]);
  });
});
