import { PRICE_FLAGS } from "./cost_flags.ts";
import { rareModelFlags } from "./model_flags.ts";

/** Flags that only `--help-all` shows. */
const RARE_FLAGS: readonly string[] = [
  ...rareModelFlags(),
  ...["--share", "--rule", "--squad", "--hotpotqa", "--no-preflight"],
  ...["--first-sample", "--samples-file", "--max-failures", "--shard"],
];

/** Flags that only `--help-all` of `run` and `batch` shows. */
const RARE_IN_RUN: readonly string[] = [...PRICE_FLAGS, "--budget", "--rate", "--max-cost", "--samples-at"];

/** Whether only `--help-all` shows a flag of a command. */
export function isRareFlag(flag: string | undefined, command: string): boolean {
  return flag !== undefined &&
    (RARE_FLAGS.includes(flag) || (["run", "batch"].includes(command) && RARE_IN_RUN.includes(flag)));
}
