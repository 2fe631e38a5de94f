import { deepEqual, equal, match } from "node:assert/strict";
import { factsOf } from "./_benchmark_page.ts";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

// A page says in words what is measured and what differs; below this line is what the code says, written by
// deno test -A tests/docs/benchmark_pages_test.ts -- --update
const LINE = "<!-- Below: written from the code; tests/docs/benchmark_pages_test.ts keeps it in step. -->\n\n";

const materials = await openTestMaterials("cl100k_base");

Deno.test.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))(
  "docs/benchmarks/%s.md says what the code says",
  async (name, benchmark) => {
    const path = `docs/benchmarks/${name}.md`;
    const [words = "", facts] = (await Deno.readTextFile(path)).split(LINE);
    const wanted = await factsOf(benchmark, materials);
    if (Deno.args.includes("--update")) return await Deno.writeTextFile(path, `${words}${LINE}${wanted}`);
    equal(facts, wanted);
    match(words, new RegExp(`^<!-- deno-fmt-ignore-file -->\n\n# ${benchmark.title}\n`));
    deepEqual(["## What it measures", "## What differs", "## Run it"].filter((head) => !words.includes(head)), []);
  },
);
