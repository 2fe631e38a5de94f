import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { RecallVerdict } from "@/lib/models/mod.ts";

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

/** Reads the verdicts of a judge; a line that is none, as after a crash, is ended and passed over, and its reply is judged again. */
export async function readVerdicts(path: string, judge: string): Promise<ReadonlyMap<string, VerdictLine>> {
  const text = await readText(path);
  if (text !== "" && !text.endsWith("\n")) await Deno.writeTextFile(path, "\n", { append: true });
  const lines = text.split("\n").flatMap((line) => readLine(line) ?? []);
  return new Map(lines.filter((line) => line.judge === judge).map((line) => [line.judged, line]));
}

/** Adds a verdict to its file. */
export async function appendVerdict(path: string, line: VerdictLine): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(line)}\n`, { append: true });
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function readLine(text: string): VerdictLine | null {
  try {
    const line = JSON.parse(text) as Partial<VerdictLine>;
    const isGrade = line.grade === null || [1, 2, 3, 4, 5].includes(line.grade as number);
    const isVerdict = isGrade && typeof line.judged === "string" && typeof line.judge === "string";
    return isVerdict ? { text: "", asked: 1, unscored: null, origin: "measured", ...line } as VerdictLine : null;
  } catch {
    return null;
  }
}
