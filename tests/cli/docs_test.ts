import { deepEqual, ok } from "node:assert/strict";

const PAGES = ["docs/shell.md", ...["ruler", "cdme", "counting_stars"].map((name) => `docs/benchmarks/${name}.md`)];

/**
 * What a page says of Fathom's own shell: the last cell of each row, and the figures without their comments.
 * tests/house/features_test.ts has the other commands.
 */
function ownWords(page: string): string {
  const lines = page.split("\n");
  const cells = lines.filter((line) => line.startsWith("|")).map((row) => row.split(/(?<!\\)\|/).at(-2)!);
  return [
    ...cells,
    ...lines.filter((line) => line.startsWith("deno task figure")).map((line) => line.replace(/ # .*/, "")),
  ]
    .join("\n");
}

/** Every flag of every command, those that help leaves out among them, and vLLM's `--port`. */
async function listFlags(): Promise<ReadonlySet<string>> {
  const features = await Deno.readTextFile(new URL("../house/features.txt", import.meta.url));
  return new Set([...features.match(/--[\w-]+/g)!, "--port"]);
}

Deno.test("the pages about the originals name flags that there are", async () => {
  const flags = await listFlags();
  ok(flags.has("--sampling-seed") && flags.has("--format"));
  for (const page of PAGES) {
    const words = ownWords(await Deno.readTextFile(page));
    const unknown = Array.from(words.matchAll(/--[a-z][\w-]*/g), ([flag]) => flag).filter((flag) => !flags.has(flag));
    deepEqual({ page, unknown }, { page, unknown: [] });
  }
});
