import type { ModelSettings, Reply } from "@/lib/models/mod.ts";

/** One line of `records.jsonl`: a recipe, not a prompt; the prompt is made again from it. */
export interface RunRecord {
  /** The sample's id, which names its whole recipe. */
  readonly sample: string;
  /** SHA-256 of the prompt that was sent. */
  readonly sha256: string;
  /** The sample's suite and version. */
  readonly suite: string;
  readonly task: string;
  /** The token budget of the sample. */
  readonly length: number;
  readonly index: number;
  /** Tokens of the prompt by the run's tokenizer. */
  readonly promptTokens: number;
  readonly model: string;
  readonly origin: "measured" | "simulated";
  readonly settings: ModelSettings;
  readonly reply: Reply;
  /** The version of Fathom that asked. */
  readonly fathom: string;
  /** When the reply came, in ISO 8601. */
  readonly time: string;
}
