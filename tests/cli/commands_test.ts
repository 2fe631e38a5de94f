import { deepEqual, equal, match } from "node:assert/strict";
import { Command } from "commander";
import { shell } from "./_shell.ts";
import { COMMANDS } from "@/lib/cli/commands.ts";
import { STANDARD_OUTPUT } from "@/lib/cli/output.ts";

Deno.test("the list of commands says of each what the command says of itself", async () => {
  const program = new Command();
  for (const { load } of COMMANDS) (await load()).addCommand(program, STANDARD_OUTPUT);
  const usages = program.createHelp().visibleCommands(program).filter((command) => command.name() !== "help")
    .map((command) => `${command.name()} ${command.usage()}`.replace(/ \[(?:options|command)\]/g, ""));
  deepEqual(usages, COMMANDS.map(({ usage }) => usage));
});

Deno.test("a wrong command is refused by the one that was probably meant", async () => {
  const { code, err } = await shell("reprot");
  equal(code, 2);
  match(err[0]!, /unknown command 'reprot' .*report/);
});

Deno.test("--tasks and --lengths are accepted in the singular and in the plural", async () => {
  const plural = await shell("generate", "--tasks", "vt", "--lengths=1K");
  equal(plural.code, 0);
  deepEqual(await shell("generate", "--task", "vt", "--length=1K"), plural);
  match((await shell("show", "no-such-run", "--tasks", "vt")).err[0]!, /Cannot read the run/);
});

Deno.test("fathom tasks NAME prints the words of its prompt, in a chat template if asked", async () => {
  const { out } = await shell("tasks", "vt", "--variant", "paper", "--chat-template", "meta-chat");
  match(out, /sample's prompt; \{context\} marks the text:\n\n\[INST\] Memorize and track the chain/);
  match(
    out,
    /\{context\}\nQuestion: Find all .* \[\/INST\]\n\nStart of the answer: " Answer: According to .* they are:"\n$/,
  );
});

Deno.test("fathom tasks lists a benchmark's tasks, and the knobs where a family has its name too", async () => {
  const { out } = await shell("tasks", "counting_stars");
  equal(out.match(/^ +counting_stars_\w+_(en|zh) +retrieval /gm)?.length, 6);
  match(out, /\ncounting_stars: asks for a list of all counts[\s\S]*\n {2}stars=32 /);
  match(out, /\nNot asked by default: counting_stars_sum_\w+[^]*\nScores\n {2}stars: /);
});
