import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { shell, withRunName } from "./_shell.ts";

const ASK = ["run", "--tasks", "niah_single_1", "--lengths", "1K", "--samples", "3"];

/** An interval in a text or a chart's data: ` [36.8, 100.0]`, `"low":36.8`. */
const INTERVAL = /\d \[-?\d|\d to \d+\.\d%|"low[A-Za-z]*":-?\d/;

Deno.test("three samples have no interval in any output of the shell", async () => {
  await withRunName(async (name) => {
    await withRunName(async (other) => {
      for (const [run, model] of [[name, "sim:ideal"], [other, "sim:mute"]]) {
        equal((await shell(...ASK, "--model", `${model}`, "--name", `${run}`)).code, 0);
      }
      for (
        const command of [
          ["report", name],
          ["report", name, "--json"],
          ["report", "limits", name],
          ["report", "limits", name, "--json"],
          ["report", "depths", name],
          ["report", "depths", name, "--json"],
          ["report", "failures", other],
          ["report", name, other],
          ["report", name, other, "--json"],
          ["compare", name, other],
          ["compare", name, other, "--json"],
          ["export", name, other, "--format", "scores"],
        ]
      ) {
        const { code, out } = await shell(...command);
        equal(code, 0, command.join(" "));
        doesNotMatch(out, INTERVAL, command.join(" "));
      }
    });
  });
});

Deno.test("a search of three samples has a score and no interval", async () => {
  await withRunName(async (name) => {
    const { out } = await shell(...ASK, "--adaptive", "--model", "sim:ideal", "--name", name);
    deepEqual(out.match(/\n1K +3 +(\S+) /)?.[1], "100.0");
  });
});
