import { deepEqual, equal, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";

/** What bash offers after some words, by the script that it would load; `undefined` where there is no bash. */
async function completed(script: string, words: readonly string[]): Promise<readonly string[] | undefined> {
  const program = `${script}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fathom 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  try {
    const { stdout } = await new Deno.Command("bash", { args: ["-c", program, "bash", "fathom", ...words] }).output();
    return new TextDecoder().decode(stdout).trim().split("\n");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("fathom completion bash completes commands, flags, choices, tasks, runs and commands below others", async () => {
  const { code, out } = await shell("completion", "bash");
  equal(code, 0);
  if (await completed(out, ["re"]) === undefined) return console.log("no bash here: completion is not tried");
  deepEqual(await completed(out, ["re"]), ["resume", "report", "regrade"]);
  deepEqual(await completed(out, ["run", "--var"]), ["--variant"]);
  deepEqual(await completed(out, ["run", "--variant", ""]), ["2026", "2024", "paper"]);
  deepEqual(await completed(out, ["score", "--task", "niah_single_w"]), ["niah_single_words"]);
  deepEqual(await completed(out, ["data", "f"]), ["fetch"]);
  deepEqual(await completed(out, ["data", "fetch", "--fr"]), ["--from"]);
  deepEqual(await completed(out, ["show", "measured/gemma-3-270m/ru"]), ["measured/gemma-3-270m/ruler"]);
});

Deno.test("fathom completion has every command in each shell's script, and refuses other shells", async () => {
  const { out: help } = await shell("--help");
  const names = Array.from(help.matchAll(/^ {2}(\w+) /gm), ([, name]) => name!);
  ok(names.includes("completion") && names.length > 15);
  for (const name of ["bash", "zsh", "fish"]) {
    const { out } = await shell("completion", name);
    deepEqual(names.filter((each) => !out.includes(` ${each}`) && !out.includes(`'${each}`)), []);
  }
  const { code, told } = await shell("completion", "csh");
  equal(code, 2);
  match(told[0]!, /bash, zsh, fish/);
});
