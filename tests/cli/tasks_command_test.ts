import { equal, match, ok } from "node:assert/strict";
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

Deno.test("fathom run --help fits on two screens, and --help-all shows every flag", async () => {
  const [help, all] = [(await shell("run", "--help")).out, (await shell("run", "--help-all")).out];
  const lines = help.split("\n");
  ok(lines.length <= 70, `${lines.length} lines`);
  for (const line of lines) ok(line.length <= 100, line);
  match(help, /--help-all +print every flag/);
  for (const flag of ["--top-p", "--extra-body", "--price-in"]) {
    ok(!help.includes(flag), flag);
    ok(all.includes(flag), flag);
  }
});

Deno.test("fathom generate --first still works, and says its new name", async () => {
  const ask = ["generate", "--task", "vt", "--length", "1K"];
  const [old, now] = [await shell(...ask, "--first", "2"), await shell(...ask, "--first-sample", "2")];
  equal(old.out, now.out);
  equal(JSON.parse(now.out).index, 2);
  match(old.told[0]!, /^--first is now --first-sample/);
  equal(now.told.length, 0);
  ok(!(await shell("generate", "--help")).out.includes("--first <"));
});
