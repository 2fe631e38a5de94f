import { deepEqual, equal, match, ok } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { shell } from "./_shell.ts";
import { CertificatePaused, NotEnoughData } from "@/lib/certify/mod.ts";
import { ModelNotAskable } from "@/lib/asking/mod.ts";
import { writeFailure } from "@/lib/cli/certify_outcome.ts";
import { CommandFailure, type Output } from "@/lib/cli/output.ts";

/** An output that keeps what is printed. */
function keeping(): Output & { readonly printed: () => string } {
  let printed = "";
  return {
    ...{ write: () => Promise.resolve(), note: () => {}, redraw: () => {}, printed: () => printed },
    print: (text) => void (printed += text),
  };
}

const system = (code: string): Error => Object.assign(new Error(`${code}: it did not work`), { code });
const broken = (): Error => {
  try {
    return (undefined as unknown as { readonly reply: Error }).reply;
  } catch (error) {
    return error as Error;
  }
};

const WRONG = "Cannot certify a change as --margin must be the loss that is allowed, in points: current value is none";
const CASES: readonly (readonly [name: string, error: unknown, verdict: string, exitCode: number])[] = [
  ["wrong use", new RangeError(WRONG), "wrong use", 2],
  ["a file that is not there", system("ENOENT"), "wrong use", 2],
  ["a device", Object.assign(new Error(`Requires all access to "/dev"`), { name: "NotCapable" }), "wrong use", 2],
  ["a server that cannot be asked", new ModelNotAskable(`Cannot ask model "m" as it must be there`), "cannot ask", 3],
  [
    "a server that fails half-way",
    new CertificatePaused(`q8: Cannot ask model "m" on as it must answer`),
    "cannot ask",
    3,
  ],
  ["a server that changed", new NotEnoughData("Not enough data: the server of q8 changed"), "not enough data", 3],
  ["an interruption", new CommandFailure("No verdict yet as it was interrupted", 3), "not enough data", 3],
  ["a full disk", system("ENOSPC"), "not enough data", 3],
  ["another process", new Error(`Cannot add to "x" as one process at a time must write it`), "not enough data", 3],
  ["an error of the engine", broken(), "crashed", 70],
  ["too deep a call", new RangeError("Maximum call stack size exceeded"), "crashed", 70],
  ["an unknown error", new Error("it went wrong"), "crashed", 70],
  ["a thrown text", "it went wrong", "crashed", 70],
];
for (const [name, error, verdict, exitCode] of CASES) {
  Deno.test(`writeFailure() writes ${name} as ${verdict}, with its exit code`, async () => {
    await withFolder(async (folder) => {
      const output = keeping();
      const flags = { json: true, junit: `${folder}/new/junit.xml`, markdown: `${folder}/summary.md` };
      const failure = writeFailure(error, { flags, output });
      equal(failure.code, exitCode);
      const found = JSON.parse(output.printed());
      deepEqual([found.verdict, found.exitCode, found.headline], [verdict, exitCode, failure.message]);
      match(await Deno.readTextFile(flags.markdown), new RegExp(`^### ⚠️ No verdict: ${verdict}\n\n.`));
      match(
        await Deno.readTextFile(flags.junit),
        new RegExp(`errors="1".*<error type="${verdict}" message="[^"]+"/>`, "s"),
      );
    });
  });
}

Deno.test("wrong flags of fathom certify have a result too, and help has none", async () => {
  for (const flags of [["--no-such-flag"], ["--margin", "-2"], ["--base"]]) {
    const { code, out } = await shell("certify", "--json", ...flags);
    equal(code, 2);
    const { verdict, exitCode } = JSON.parse(out);
    deepEqual([verdict, exitCode], ["wrong use", 2]);
  }
  const { code, out } = await shell("certify", "--json", "--help");
  equal(code, 0);
  ok(out.startsWith("Usage:"));
});

Deno.test("a result that cannot be written keeps the exit code", () => {
  const flags = { json: true, junit: "/dev/null/junit.xml" };
  const output = keeping();
  equal(writeFailure(new RangeError(WRONG), { flags, output }).code, 2);
  equal(JSON.parse(output.printed()).exitCode, 2);
});
