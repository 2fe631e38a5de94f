import { readRealLines } from "../../_real_data.ts";
import type { Variant } from "@/lib/benchmarks/ruler/wording.ts";

/** One sample of the reference. */
export interface GoldenSample {
  /** Prompt and answer prefix; the code of 2024 stores them as one text. */
  readonly text: string;
  /** Where the answer prefix begins, in the code of 2026. */
  readonly prefixAt: number | undefined;
  readonly outputs: readonly string[];
  /** The number of its question in the data set, from 0. */
  readonly index: number;
}

/** A variant that there are samples of. */
export type GoldenVariant = Exclude<Variant, "paper">;

const FOLDERS: Readonly<Record<GoldenVariant, string>> = { "2026": "golden/ruler", "2024": "golden/ruler_2024" };

/** The folder of real data with the reference's samples of each variant. */
export const GOLDEN_FOLDERS = Object.entries(FOLDERS) as readonly (readonly [GoldenVariant, string])[];

interface GoldenLine {
  readonly index: number;
  readonly input: string;
  readonly outputs: readonly string[];
  readonly "answer_prefix"?: string;
}

/** Reads the reference's samples of a task. */
export function readGolden(task: string, variant: GoldenVariant): GoldenSample[] {
  return readRealLines<GoldenLine>(`${FOLDERS[variant]}/${task}.jsonl`).map((line) => {
    const { index, input, answer_prefix: prefix, outputs } = line;
    return prefix === undefined
      ? { text: input, prefixAt: undefined, outputs, index }
      : { text: input + prefix, prefixAt: input.length, outputs, index };
  });
}
