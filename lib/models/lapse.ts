/**
 * What the simulated reader did wrong.
 *
 * To one fact:
 * - `left_out`: it was not said, nor anything in its place;
 * - `lost_hop`: it was not said, because the chain that leads to it was lost there or before;
 * - `stopped`: a value on the way to it was said, as the thread that leads to it was lost there;
 * - `distractor`: something else of its kind from the prompt was said instead;
 * - `miscounted`: a less frequent word was said instead;
 * - `partial`: only the beginning of its value was said;
 * - `repeated`: another right answer was said again instead;
 * - `invented`: something that is not in the prompt was said instead;
 * - `unlisted`: it was found and added to the sum, and left out of the list.
 *
 * To the whole reply:
 * - `example`: the worked example's answer was copied;
 * - `prior`: all of it was made up, as from prior knowledge;
 * - `refused`: it says that it cannot answer;
 * - `looped`: it says one thing again and again;
 * - `empty`: nothing was said;
 * - `misadded`: what was found was added up wrongly;
 * - `listed`: everything that could be an answer was said.
 */
export type LapseKind =
  | "left_out"
  | "lost_hop"
  | "stopped"
  | "distractor"
  | "miscounted"
  | "partial"
  | "repeated"
  | "invented"
  | "unlisted"
  | "example"
  | "prior"
  | "refused"
  | "looped"
  | "empty"
  | "misadded"
  | "listed";

/** One thing that the simulated reader did wrong; the truth against which explanations of failures can be measured. */
export interface Lapse {
  /** What it did. */
  readonly kind: LapseKind;
  /** The key of the fact it befell; `null` where it befell the whole reply. */
  readonly fact: string | null;
  /** The fact's value; `null` where it befell the whole reply. */
  readonly wanted: string | null;
  /** What was said in its place; `null` where nothing was. */
  readonly said: string | null;
}
