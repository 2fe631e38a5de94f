import { deepEqual, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";

const KEYS = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"];

/** Runs without any key or address in the environment, which is as before afterwards. */
async function withoutKeys(use: () => Promise<void>): Promise<void> {
  const before = KEYS.map((name) => [name, Deno.env.get(name)] as const);
  for (const name of KEYS) Deno.env.delete(name);
  try {
    await use();
  } finally {
    for (const [name, value] of before) if (value !== undefined) Deno.env.set(name, value);
  }
}

/** Returns the examples of a command's help as words, without comments. */
async function examplesOf(command: string): Promise<string[][]> {
  const { out } = await shell(command, "--help-all");
  return [...out.matchAll(new RegExp(`^ {2}fathom (${command} -.*|${command} data.*)$`, "gm"))]
    .map(([, words]) => words!.replace(/ #.*/, "").split(" "));
}

for (const command of ["plan", "run", "batch"]) {
  Deno.test(`every example of fathom ${command} --help can be planned without a key`, async () => {
    const examples = await examplesOf(command);
    ok(examples.length >= 2);
    await withoutKeys(async () => {
      for (const words of examples) {
        // Nothing may be asked; a file of the user's own is not there.
        const dry = command === "plan" || words.includes("--dry-run") ? words : [...words, "--dry-run"];
        const shorter = dry.filter((word) => word !== "--look").map((word) =>
          word === "data/studies/ruler.yaml" ? "data/studies/ruler-quick.yaml" : word
        );
        if (words.includes("./mine.ts")) continue;
        const { code, err } = await shell(...shorter, "--no-preflight");
        deepEqual([code, err.filter((line) => line.startsWith("fathom:"))], [0, []], words.join(" "));
      }
    });
  });
}

Deno.test("an entry whose header names a variable that is not set can be planned", async () => {
  await withoutKeys(async () => {
    const asked = ["--tasks", "vt", "--lengths", "1K", "--samples", "1", "--model", "gemini-2.5-flash"];
    const planned = await shell("plan", ...asked, "--no-preflight");
    const refused = await shell("run", ...asked, "--no-preflight");
    deepEqual([planned.code, refused.code], [0, 2]);
    ok(/GEMINI_API_KEY.* must be set in the environment/.test(refused.err.at(-1)!));
  });
});
