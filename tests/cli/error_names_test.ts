import { equal, match } from "node:assert/strict";
import { shell } from "./_shell.ts";
import { nearestName } from "@/lib/cli/output.ts";

Deno.test.each([
  ["one letter", 'Cannot make the task as its name must be one of vt, cwe, fwe: current value is "vtt"', "vt"],
  [
    "two letters swapped",
    'Cannot read as its name must be that of a recorded run (first, second): current value is "secnod"',
    "second",
  ],
  ["a knob", 'Cannot set "kees" as it must be a knob of the tasks (keys, values): current value is niah', "keys"],
  ["a simulated reader", 'Cannot open as its name must be one of gpt-4, lwm: current value is "sim:gpt4"', "sim:gpt-4"],
  ["nothing near", 'Cannot open as its name must be one of gpt-4, lwm: current value is "claude"', undefined],
  ["no list of names", 'Cannot plan as depth must be in [0, 1]: current value is "2"', undefined],
] as [string, string, string | undefined][])("nearestName() %s", (_name, message, near) => {
  equal(nearestName(message), near);
});

Deno.test("a wrong name of a run, a task or a flag is answered by the one that was meant", async () => {
  const said = async (...args: string[]): Promise<string> => (await shell(...args)).err.at(-1)!;
  match(await said("show", "measured/gemma-3-270m/rulr"), /; did you mean measured\/gemma-3-270m\/ruler\?$/);
  match(await said("tasks", "vtt"), /"vtt"; did you mean vt\?$/);
  match(await said("run", "--lenghts", "4K"), /Did you mean --lengths\?\)$/);
});
