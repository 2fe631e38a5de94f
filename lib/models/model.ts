import type { Frame, Sample } from "@/lib/generators/mod.ts";
import type { Reply } from "./reply.ts";

/** Settings as they stand in records: nothing secret, nothing that changes between equal runs. */
export type ModelSettings = Readonly<
  Record<string, string | number | boolean | null>
>;

/** Something that answers samples: an endpoint, the simulated reader, or a recorded run. */
export interface Model {
  /** Its name in records, tables and figures; the simulated reader's begin with `sim:`. */
  readonly name: string;
  /** Whether its answers are real (`measured`) or made by the simulated reader, as far as is known before it is asked. */
  readonly origin: "measured" | "simulated";
  /** Everything that shapes its answers, for the record. */
  readonly settings: ModelSettings;
  /** What it puts round a prompt; samples are fitted with it. */
  readonly frame: Frame;
  /**
   * Asks one sample. Never rejects for what the model or the network does: that is a {@linkcode Failure}.
   *
   * @param sample What to ask.
   * @param signal Ends the call early; the promise then rejects with the signal's reason.
   */
  ask(sample: Sample, signal?: AbortSignal): Promise<Reply>;
}
