import { equal, match } from "node:assert/strict";
import { factsOf } from "./_benchmark_page.ts";
import { openTestMaterials } from "../generators/_materials.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

// A page says in words what is measured and what differs; below this line is what the code says, written by
// deno test -A tests/docs/benchmark_pages_test.ts -- --update
const LINE = "<!-- Below: written from the code; tests/docs/benchmark_pages_test.ts keeps it in step. -->";
const HEADINGS = ["## What it measures", "## What differs", "## Run it"];

const materials = await openTestMaterials("cl100k_base");

Deno.test.each(BENCHMARKS.map((benchmark) => [benchmark.name, benchmark] as const))(
  "docs/benchmarks/%s.md says what the code says",
  async (name, benchmark) => {
    const path = `docs/benchmarks/${name}.md`;
    const [words = "", facts] = (await Deno.readTextFile(path)).split(LINE);
    match(words, new RegExp(`^<!-- deno-fmt-ignore-file -->\n\n# ${benchmark.title}\n`));
    const missing = HEADINGS.filter((heading) => !words.includes(heading));
    equal(missing.join(", "), "", `${path} must have the headings ${HEADINGS.join(", ")}`);
    const wanted = `\n\n${await factsOf(benchmark, materials)}`;
    if (Deno.args.includes("--update")) {
      await Deno.writeTextFile(path, `${words.trimEnd()}\n\n${LINE}${wanted}`);
    } else equal(facts, wanted);
  },
);
