import { deepEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { listFiles } from "../house/_source.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

/** What a suite may cost: lines, but for statements, words and files. CONTRIBUTING.md tells what each part is. */
interface Price {
  readonly tasks: number;
  readonly paper: number;
  readonly statements: number;
  readonly tests: number;
  /** Words of its page by hand. */
  readonly page: number;
  /** Files outside its folders that name it. */
  readonly outside: number;
}

/** The price of a new suite. At most six files name it: the registry, README.md, citations, a notebook and the like. */
const NEW: Price = { tasks: 460, paper: 190, statements: 12, tests: 350, page: 700, outside: 6 };

/**
 * The suites that are older than the price; none of their parts grows. Two pages explain files of the original code too. The field
 * `exceptions` of tests/house/limits.json has the reasons of those that were brought as near to the price as it makes sense.
 */
const OLDER: Readonly<Record<string, Partial<Price>>> = {
  ruler: { tasks: 3242, paper: 1840, statements: 21, tests: 3950, page: 1600, outside: 144 },
  "counting_stars": { tasks: 1214, paper: 693, statements: 12, tests: 1300, outside: 44 },
  "needle_threading": { tasks: 887, paper: 690, tests: 970, outside: 22 },
  cdme: { tasks: 709, paper: 383, tests: 615, page: 900, outside: 67 },
  "prompt_dependence": { tasks: 623, paper: 450, statements: 12, tests: 775, outside: 16 },
  "repeated_words": { paper: 284, tests: 362, outside: 7 },
  babilong: { tasks: 581, tests: 523, outside: 14 },
  graphwalks: { tasks: 487, outside: 17 },
  mrcr: { tasks: 770, paper: 217, tests: 461, outside: 18 },
};

const PLACES = ["lib", "tests", "docs", "notebooks", "data/studies"];
const files = [...PLACES.flatMap(listFiles), "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CITATION.cff"]
  .filter((path) => /\.(?:ts|md|yaml|ipynb|cff)$/.test(path));
const texts = new Map(files.map((path) => [path, textOf(path)]));

/** The text of a file; of a notebook its cells, as outputs are data. */
function textOf(path: string): string {
  const text = Deno.readTextFileSync(path);
  if (!path.endsWith(".ipynb")) return text;
  return (JSON.parse(text).cells as { source: string | string[] }[]).flatMap(({ source }) => source).join("");
}

function countLines(isCounted: (path: string) => boolean): number {
  return files.filter((path) => path.endsWith(".ts") && isCounted(path))
    .reduce((lines, path) => lines + texts.get(path)!.split("\n").length - 1, 0);
}

function priceOf(name: string): Price {
  const suite = `lib/benchmarks/${name}/`;
  const paper = `lib/papers/${name}/`;
  const page = `docs/benchmarks/${name}.md`;
  const tests = [`tests/benchmarks/${name}/`, `tests/papers/${name}/`, `tests/audit/_solve_${name}`];
  const own = [suite, paper, page, ...tests, `data/studies/${name.replaceAll("_", "-")}`];
  const isOf = (path: string, places: readonly string[]): boolean => places.some((place) => path.startsWith(place));
  const claims = files.filter((path) => path.startsWith(paper)).map((path) => texts.get(path)!).join("\n");
  const byHand = existsSync(page) ? texts.get(page)!.split("\n`fathom tasks ")[0]! : "";
  return {
    tasks: countLines((path) => path.startsWith(suite)),
    paper: countLines((path) => path.startsWith(paper)),
    statements: claims.match(/^ +id: "/gm)?.length ?? 0,
    tests: countLines((path) => isOf(path, tests)),
    page: byHand.split(/\s+/).filter((word) => word !== "").length,
    outside: files.filter((path) => !isOf(path, own) && texts.get(path)!.includes(name)).length,
  };
}

Deno.test.each(BENCHMARKS.map(({ name }) => [name]))("%s costs no more than a suite may", (name) => {
  const most = { ...NEW, ...OLDER[name] };
  const costs = Object.entries(priceOf(name)) as [keyof Price, number][];
  if (Deno.args.includes("--show")) {
    console.log(`cost of ${name}: ${costs.map(([part, cost]) => `${part} ${cost} of ${most[part]}`).join(", ")}`);
  }
  deepEqual(costs.filter(([part, cost]) => cost > most[part]), []);
});
