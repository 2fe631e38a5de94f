import type { Draw } from "@/lib/random/mod.ts";
import { drawWeighted } from "./_draw_weighted.ts";
import type { LapseKind } from "./lapse.ts";
import type { Habits } from "./profile.ts";
import type { Reading } from "./reading.ts";

/** A reply that is wrong as a whole. */
export interface WholeFailure {
  readonly kind: LapseKind;
  readonly text: string;
}

const REFUSALS = [
  " I'm sorry, but I cannot find that in the text.",
  " I am sorry, I am not able to answer that.",
];
/** How often a loop says its one thing. */
const ROUNDS = 24;

/**
 * Fails as a whole: copies the worked example where there is one, or else as the habits are.
 *
 * @param reading The prompt, read.
 * @param options `habits`, how a reply fails; `draw`, the randomness.
 */
export function failWhole(
  reading: Reading,
  options: { readonly habits: Habits; readonly draw: Draw },
): WholeFailure {
  const { habits, draw } = options;
  const { whole, copying, wholeReplies } = habits;
  // Where there is an example, what the copying adds to the other failures is copied.
  const copied = reading.example.length > 0 && draw() < 1 - whole / Math.max(copying, whole, 1e-9);
  if (copied) return { kind: "example", text: reading.write(reading.example) };
  const kind = drawWeighted<keyof Habits["wholeReplies"]>(draw, [
    ["empty", wholeReplies.empty],
    ["refused", wholeReplies.refused],
    ["looped", wholeReplies.looped],
    ["prior", wholeReplies.prior],
  ]);
  if (kind === "empty") return { kind, text: "" };
  const { refusals = REFUSALS } = reading;
  if (kind === "refused") return { kind, text: refusals[Math.floor(draw() * refusals.length)]! };
  if (kind === "prior") return { kind, text: reading.write(inventAll(reading, draw)) };
  const [word] = inventAll(reading, draw);
  return { kind, text: reading.write([Array(ROUNDS).fill(word).join(" ")]) };
}

/** Makes up as many answers as are wanted, none of them right. */
function inventAll(reading: Reading, draw: Draw): string[] {
  const wanted = reading.wanted.map(({ value }) => value.toLowerCase());
  const isRight = (text: string): boolean => wanted.some((value) => text.toLowerCase().includes(value));
  const invented = Array.from({ length: 4 * wanted.length + 4 }, () => reading.invent(draw))
    .filter((text, at, all) => !isRight(text) && all.indexOf(text) === at);
  return invented.slice(0, Math.max(1, wanted.length));
}
