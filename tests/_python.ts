import { equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** Runs Python with a text as its input, and returns what it prints. */
export function runPython(python: string, args: readonly string[], input: string): string {
  const { stdout, status } = spawnSync(python, args, { input, maxBuffer: 2 ** 28, encoding: "utf8" });
  equal(status, 0);
  return stdout;
}

/** Whether a Python has packages. */
export function hasPackages(python: string, ...names: readonly string[]): boolean {
  return spawnSync(python, ["-c", `import ${names.join(", ")}`], { stdio: "ignore" }).status === 0;
}
