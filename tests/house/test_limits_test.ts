import { deepEqual, equal, match } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { withFolder } from "../_folder.ts";

const PRELOAD = new URL("../_seed_properties.ts", import.meta.url).pathname;

/** Runs files of tests whose limit is a few seconds: what is printed, with names of files for paths, and how the run ends. */
async function runTests(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly out: string }> {
  let ended = { code: 0, out: "" };
  await withFolder(files, async (folder) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet", "--parallel", "--no-check", "-A", "--preload", PRELOAD, folder],
      env: { NO_COLOR: "1", FATHOM_TEST_SECONDS: "5" },
    }).output();
    const out = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    ended = { code, out: out.replaceAll(/\S*\/(\w+\.ts)/g, "$1") };
  });
  return ended;
}

const HANGS = {
  loop: "for (;;);",
  pattern: "/^(a+)+$/.test('a'.repeat(60) + 'b');",
  timers: "await new Promise(() => setInterval(() => {}, 50));",
  promises: "for (;;) await null;",
};

const hanging = Object.entries(HANGS).map(([name, body]) => [
  `${name}_test.ts`,
  `Deno.test("before the ${name}", () => {});
Deno.test.each([["first"], ["second"]])("the %s ${name}", async () => { ${body} });
Deno.test({ name: "after the ${name}", fn: () => {} });
`,
]);

const WAITING = `Deno.test("a promise", () => new Promise(() => {}));
Deno.test("after the promise", () => {});
`;

const isRun = cases(false, true);

Deno.test(
  "a test that hangs fails at its limit, by its name and place; those after it name it",
  { ignore: !isRun },
  async () => {
    const { code, out } = await runTests({ ...Object.fromEntries(hanging), "promise_test.ts": WAITING });
    equal(code, 1);
    const failures = Array.from(
      out.matchAll(/^(.+) => (\w+_test\.ts:\d+):\d+\nerror: (?:Error: )?(.+)$/gm),
      ([, ...of]) => of,
    );
    deepEqual(
      failures.map((failure) => failure.join(" | ")).sort(),
      [
        "a promise | promise_test.ts:1 | Promise resolution is still pending but the event loop has already resolved.",
        ...Object.keys(HANGS).flatMap((name) => [
          `after the ${name} | ${name}_test.ts:3 | Not run, as this test hung: the first ${name}`,
          `the first ${name} | ${name}_test.ts:2 | Test timed out after 5000ms.`,
          `the second ${name} | ${name}_test.ts:2 | Not run, as this test hung: the first ${name}`,
        ]),
      ].sort(),
    );
    match(out, /^FAILED \| 5 passed \| 13 failed/m);
  },
);

Deno.test("a file that hangs while it is imported ends the run, with its name", { ignore: !isRun }, async () => {
  const part = `import { importTests } from "${import.meta.resolve("../_part.ts")}";
await importTests(new URL("loop.ts", import.meta.url).pathname);
`;
  const { code, out } = await runTests({ "loop.ts": HANGS.loop, "part_test.ts": part });
  equal(code, 143);
  match(out, /^FAILED: loop\.ts cannot be imported within 5 seconds$/m);
});
