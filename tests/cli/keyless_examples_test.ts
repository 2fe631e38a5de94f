import { deepEqual, match, ok } from "node:assert/strict";
import { shell } from "./_shell.ts";

/** Runs without any key or address in the environment, which is as before afterwards. */
async function withoutKeys(use: () => Promise<void>): Promise<void> {
  const before = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"]
    .map((name) => [name, Deno.env.get(name)] as const);
  for (const [name] of before) Deno.env.delete(name);
  try {
    await use();
  } finally {
    for (const [name, value] of before) if (value !== undefined) Deno.env.set(name, value);
  }
}

Deno.test.each([["plan"], ["run"], ["batch"]])(
  "every example of fathom %s can be planned without a key",
  async (command) => {
    const { out } = await shell(command, "--help-all");
    const examples = [...out.matchAll(new RegExp(`^ {2}fathom (${command} (?:-|data).*)$`, "gm"))].map(([, words]) =>
      words!
    )
      // A file of the user's own is not there.
      .filter((words) => !words.includes("./mine.ts"));
    ok(examples.length >= 2);
    await withoutKeys(async () => {
      for (const example of examples) {
        const words = example.replace(/ #.*/, "").split(" ");
        const dry = [...words, ...command === "plan" ? [] : ["--dry-run"]].filter((word) => word !== "--look");
        const { code, err } = await shell(...dry, "--no-preflight");
        deepEqual([code, err.filter((line) => line.startsWith("fathom:"))], [0, []], example);
      }
    });
  },
);

Deno.test("an entry whose header names a variable that is not set can be planned, and not asked", async () => {
  await withoutKeys(async () => {
    const asked = "--tasks vt --lengths 1K --samples 1 --model gemini-2.5-flash --no-preflight".split(" ");
    const [planned, refused] = [await shell("plan", ...asked), await shell("run", ...asked)];
    deepEqual([planned.code, refused.code], [0, 2]);
    match(refused.err.at(-1)!, /GEMINI_API_KEY.* must be set in the environment/);
  });
});
