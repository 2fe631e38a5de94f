import type { RunRecord } from "./record.ts";

const KINDS: Readonly<Partial<Record<keyof RunRecord, string>>> = {
  sample: "string",
  sha256: "string",
  suite: "string",
  task: "string",
  length: "number",
  index: "number",
  seed: "string",
  promptTokens: "number",
  references: "object",
  scoring: "string",
  model: "string",
  settings: "object",
  reply: "object",
};

/** Gives the record that a line holds, or `undefined` where it holds none. */
export function parseRecord(line: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const isWhole = Object.entries(KINDS).every(([key, kind]) => typeof fields[key] === kind && fields[key] !== null);
  const reply = fields["reply"] as { readonly kind?: unknown } | undefined;
  return isWhole && (reply?.kind === "answer" || reply?.kind === "failure") ? value as RunRecord : undefined;
}
