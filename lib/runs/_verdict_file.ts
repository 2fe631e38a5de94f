import { createHash } from "node:crypto";
import type { RecallVerdict } from "@/lib/models/mod.ts";
import { appendJsonLine, readJsonLines } from "./_json_lines.ts";

/** A verdict as a line of its file. */
export interface VerdictLine extends RecallVerdict {
  /** The judge's name. */
  readonly judge: string;
  /** SHA-256 of what was judged: needle, question and reply. */
  readonly judged: string;
}

/** Hashes what is judged. */
export function judgedHash(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

/** Reads the verdicts of a judge; a line that is none is passed over, and its reply is judged again. */
export async function readVerdicts(path: string, judge: string): Promise<ReadonlyMap<string, VerdictLine>> {
  const lines = await readJsonLines(path, readLine);
  return new Map(lines.filter((line) => line.judge === judge).map((line) => [line.judged, line]));
}

/** Adds a verdict to its file. */
export function appendVerdict(path: string, line: VerdictLine): Promise<void> {
  return appendJsonLine(path, line);
}

function readLine(value: unknown): VerdictLine | null {
  const line = value as Partial<VerdictLine> | null;
  const isGrade = line?.grade === null || [1, 2, 3, 4, 5].includes(line?.grade as number);
  const isVerdict = isGrade && typeof line?.judged === "string" && typeof line.judge === "string";
  return isVerdict ? { text: "", asked: 1, unscored: null, origin: "measured", ...line } as VerdictLine : null;
}
