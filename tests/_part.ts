import { LIMIT_SECONDS } from "./_limits.ts";

const TESTS = new URL("./", import.meta.url);

/**
 * Imports test files, each by itself or by its folder, so that all their tests run in one isolate, which loads and compiles the
 * library once. A file that cannot be imported becomes a test that fails.
 *
 * @param places Folders and files of `tests`, such as `runs` or `benchmarks/texts_test.ts`, and after a `!` folders in them that
 *   other parts have.
 */
export async function importTests(...places: readonly string[]): Promise<void> {
  const watch = new Worker(`data:text/javascript,${encodeURIComponent(WATCH)}`, { type: "module" });
  for (const path of listPlaces(places)) {
    watch.postMessage(`tests/${path}`);
    try {
      await import(new URL(path, TESTS).href);
    } catch (error) {
      Deno.test(`tests/${path} can be imported`, () => {
        throw error;
      });
    }
  }
  watch.terminate();
}

/** Ends the process, with the name of the file, where an import hangs: no limit of a test applies before the tests begin. */
const WATCH = `
let timer;
onmessage = ({ data: file }) => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    try {
      const text = "\\nFAILED: " + file + " cannot be imported within ${LIMIT_SECONDS} seconds\\n";
      Deno.writeTextFileSync("/dev/stderr", text, { append: true });
    } finally {
      Deno.kill(Deno.pid);
    }
  }, ${LIMIT_SECONDS * 1000});
};
`;

/** Lists the test files of places as {@linkcode importTests} has them. */
export function listPlaces(places: readonly string[]): string[] {
  const without = places.filter((place) => place.startsWith("!")).map((place) => `${place.slice(1)}/`);
  return places.filter((place) => !place.startsWith("!")).flatMap(listTests)
    .filter((path) => !without.some((folder) => path.startsWith(folder)));
}

/** Lists the test files of a folder of `tests` and of the folders in it, their paths from there, in order. */
export function listTests(place: string): string[] {
  if (place.endsWith(".ts")) return [place];
  return [...Deno.readDirSync(new URL(place, TESTS))].flatMap(({ name, isDirectory }) => {
    const path = place === "." ? name : `${place}/${name}`;
    return isDirectory ? listTests(path) : name.endsWith("_test.ts") ? [path] : [];
  }).sort();
}

/** The test files that go through all their cases in `deno task test:slow` alone: see `_cases.ts`. */
export function listLongTests(): string[] {
  return listTests(".").filter((path) =>
    /from ".*\/_(?:cases|draws)\.ts"/.test(Deno.readTextFileSync(new URL(path, TESTS)))
  );
}
