import { equal } from "node:assert/strict";

const { tasks } = JSON.parse(Deno.readTextFileSync("deno.json"));
const checks: readonly string[] = tasks.ok.command.split(" && ").filter((check: string) => check !== "deno task test");

Deno.test.each(checks.map((check) => [check]))("`%s` finds nothing, as `deno task ok` runs it", async (check) => {
  const [, ...args] = check.split(" ");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" } }).output();
  equal(code, 0, [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n"));
});
