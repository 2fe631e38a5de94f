import { deepEqual, equal, match, ok } from "node:assert/strict";
import { dirname } from "node:path";

const PAGES = ["CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "README.md"];

/** What the worked example of CONTRIBUTING.md adds to the house. */
const EXAMPLE = /left[_-]luggage/;

const HOUSE_TEST = "tests/house/house_test.ts";

/** The files and folders of this project that a page names; those it stands for others with, such as `NN-`, left out. */
function listPaths(page: string): string[] {
  const text = page.replace(/^```.*?^```/gms, "");
  const quoted = Array.from(text.matchAll(/`([^`\s]+)(?:\s[^`]*)?`/g), ([, path]) => path!);
  const linked = Array.from(text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g), ([, path]) => path!);
  const isPath = /^(?:lib|tests|data|docs|notebooks|results|\.ci|\.github)\/|^deno\.json$|\.md$/;
  return [...quoted, ...linked].filter((path) => isPath.test(path) && !/[<>*]|NN|…/.test(path) && !EXAMPLE.test(path));
}

Deno.test.each(PAGES.map((page) => [page]))("%s names files that exist", async (page) => {
  const paths = listPaths(await Deno.readTextFile(page));
  ok(paths.length > 0);
  // Git does not keep a run's records and reports.
  const kept = paths.filter((path) => !/^results\/(?:runs|reports)/.test(path));
  deepEqual(kept.filter((path) => !exists(path)), []);
});

Deno.test("listPaths() finds paths in words and links, not in code or for all of a kind", () => {
  const page =
    "See `lib/text/mod.ts` and [this](docs/ruler.md#top), `deno task ok`, `data/studies/NN.yaml`, `lib/<room>`.\n" +
    "```ts\n`lib/nowhere.ts`\n```\nor `tests/a_test.ts -- --update`";
  deepEqual(listPaths(page), ["lib/text/mod.ts", "tests/a_test.ts", "docs/ruler.md"]);
});

Deno.test("the hosted workflow runs .ci/run and nothing else of its own", async () => {
  const workflow = await Deno.readTextFile(".github/workflows/check.yml");
  deepEqual(workflow.match(/run: .*/g), ["run: .ci/run"]);
});

/** The files of the worked example, by their paths, which their first lines say. */
function readExample(page: string): Map<string, string> {
  const blocks = page.matchAll(/^```(?:ts|yaml)\n(?:\/\/|#) (\S+)[^\n]*\n(.*?)^```/gms);
  return new Map(Array.from(blocks, ([, path, text]) => [path!, text!]));
}

/** Puts an import and a name into the registry. */
function register(registry: string, given: string): string {
  const [, imported] = /^(import .*;)$/m.exec(given) ?? [];
  const [, line] = /\n( {2}\w+,)\n\];/.exec(given) ?? [];
  ok(imported !== undefined && line !== undefined);
  const changed = registry.replace(/\n\];/, `\n${line}\n];`).replace(/^/, `${imported}\n`);
  ok(changed.includes(line));
  return changed;
}

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

Deno.test("the sixth benchmark of CONTRIBUTING.md type-checks, passes its tests and keeps the rules of the house", async () => {
  const folder = await Deno.makeTempDir({ prefix: "fathom-contributing-" });
  try {
    for (
      const path of ["lib", "data", "docs", "notebooks", "tests/house", "tests/generators", ...PAGES, "deno.json"]
    ) {
      await copy(path, `${folder}/${path}`);
    }
    await copy("deno.lock", `${folder}/deno.lock`);
    const example = readExample(await Deno.readTextFile("CONTRIBUTING.md"));
    equal(example.size, 5);
    for (const [path, text] of example) {
      const place = `${folder}/${path}`;
      await Deno.mkdir(dirname(place), { recursive: true });
      const isThere = exists(place);
      await Deno.writeTextFile(place, isThere ? register(await Deno.readTextFile(place), text) : text);
    }
    const files = [...example.keys()].filter((path) => path.endsWith(".ts"));
    await runDeno(folder, "check", "--quiet", ...files);
    await runDeno(folder, "lint", "--quiet", ...files);
    await runDeno(folder, "fmt", "--check", "--quiet", ...files);
    await runDeno(folder, "test", "--quiet", "--no-check", "-A", "tests/benchmarks/left_luggage");
    const house = await runDeno(folder, "test", "--quiet", "--no-check", "-A", HOUSE_TEST);
    equal(/.*left_luggage.*/.exec(house)?.[0], undefined);
    const fathom = (...args: string[]): Promise<string> =>
      runDeno(folder, "run", "--no-check", "-A", "lib/cli/main.ts", ...args);
    const knobs = ["--task", "lockers", "--set", "lockers=9", "--length", "4096", "--samples", "2"];
    equal((await fathom("generate", ...knobs)).trimEnd().split("\n").length, 2);
    const table = await fathom(
      "run",
      "--study",
      "data/studies/left-luggage.yaml",
      "--model",
      "sim:ideal",
      "--name",
      "a",
    );
    match(table, /one_locker[^]*five_lockers/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

async function copy(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}
