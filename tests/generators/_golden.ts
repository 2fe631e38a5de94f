import type { Variant } from "@/lib/benchmarks/ruler/mod.ts";

const GOLDEN = new URL("../../../shared/data/golden/", import.meta.url);

/** Whether the samples made by the reference are there; they are not part of the project. */
export const HAS_GOLDEN = isThere(GOLDEN);

/** Names a test so that it says why it is left out. */
export function goldenName(name: string): string {
  return HAS_GOLDEN ? name : `${name} (left out: the samples of the reference are not beside the project)`;
}

/** One sample of the reference. */
export interface GoldenSample {
  /** Prompt and answer prefix; the code of 2024 stores them as one text. */
  readonly text: string;
  /** Where the answer prefix begins, in the code of 2026. */
  readonly prefixAt: number | undefined;
  readonly outputs: readonly string[];
}

const FOLDERS: Readonly<Record<Exclude<Variant, "paper">, string>> = { "2026": "ruler", "2024": "ruler_2024" };

/** The variants that there are samples of. */
export const GOLDEN_VARIANTS = ["2026", "2024"] as const;

/** Reads the reference's samples of a task. */
export function readGolden(task: string, variant: typeof GOLDEN_VARIANTS[number]): GoldenSample[] {
  const lines = Deno.readTextFileSync(new URL(`${FOLDERS[variant]}/${task}.jsonl`, GOLDEN)).trimEnd().split("\n");
  return lines.map((line) => {
    const { input, answer_prefix: prefix, outputs } = JSON.parse(line);
    return prefix === undefined
      ? { text: input, prefixAt: undefined, outputs }
      : { text: input + prefix, prefixAt: input.length, outputs };
  });
}

function isThere(folder: URL): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch {
    return false;
  }
}
