import { equal, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { listFamilies } from "@/lib/benchmarks/mod.ts";

Deno.test("fathom tasks --markdown is what docs/tasks.md says, with every task and knob", async () => {
  const { code, out } = await shell("tasks", "--markdown");
  equal(code, 0);
  for (const { tasks, knobs } of listFamilies()) {
    for (const name of [...tasks, ...Object.keys(knobs)]) ok(out.includes(`| \`${name}\` |`), name);
  }
  const page = await Deno.readTextFile(new URL("../../docs/tasks.md", import.meta.url));
  ok(
    page === out,
    "docs/tasks.md is not in step: write it again by `deno task fathom tasks --markdown > docs/tasks.md`",
  );
});
