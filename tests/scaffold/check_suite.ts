import { existsSync } from "node:fs";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

// deno task check-suite NAME: what a change of one suite can break, in seconds.

const [name = "", ...others] = Deno.args.filter((argument) => argument !== "--");
const names = BENCHMARKS.map((benchmark) => benchmark.name);
if (["", "--help", "-h"].includes(name)) {
  console.log(`Check a suite in seconds: deno task check-suite NAME\n\nNAME is one of ${names.join(", ")}.`);
  Deno.exit(name === "" ? 2 : 0);
}
if (others.length > 0 || !names.includes(name)) {
  const given = [name, ...others].join(" ");
  console.error(
    `check-suite: Cannot check the suite as it must be one of ${names.join(", ")}: current value is "${given}"`,
  );
  Deno.exit(2);
}

const OWN = [`tests/benchmarks/${name}`, `tests/papers/${name}`].filter((path) => existsSync(path));

/** Tests of all suites; those with the suite's name run. */
const SHARED = [
  "tests/audit/audit_test.ts",
  "tests/benchmarks/laws_test.ts",
  "tests/benchmarks/price_test.ts",
  "tests/docs/benchmark_pages_test.ts",
  "tests/generators/sample_questions_test.ts",
  "tests/reports/close_up_test.ts",
];

interface Outcome {
  readonly success: boolean;
  readonly text: string;
}

/** Runs tests in a process of their own. */
async function runTests(...args: readonly string[]): Promise<Outcome> {
  const flags = ["test", "--no-check", "-A", "--preload", "tests/_seed_properties.ts"];
  const command = new Deno.Command(Deno.execPath(), { args: [...flags, ...args], env: { NO_COLOR: "1" } });
  const { success, stdout, stderr } = await command.output();
  return { success, text: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n") };
}

const outcomes = await Promise.all([
  runTests("tests/house/house_test.ts"),
  runTests(...OWN),
  runTests("--filter", `/\\b${name}\\b/`, ...SHARED, "--", "--show"),
]);
for (const { text } of outcomes.filter(({ success }) => !success)) {
  console.error(text.slice(Math.max(0, text.indexOf(" ERRORS "))).trim());
}
console.log(/^cost of .*/m.exec(outcomes.at(-1)!.text)?.[0] ?? "");
const isRight = outcomes.every(({ success }) => success);
console.log(
  isRight ? `${name}: house, audit, laws, price, page and its own tests pass` : `${name}: see the errors above`,
);
Deno.exit(isRight ? 0 : 1);
