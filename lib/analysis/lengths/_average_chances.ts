import type { EffectiveLengthChance } from "./effective_length_chances.ts";
import { type EffectiveLengthRule, effectiveLengthText } from "./effective_length.ts";

/**
 * Gives the chance of each bracket from the chances that single lengths pass, averaged over what else is not certain.
 *
 * @param rows What was tried, lengths rising.
 * @param options The rule; and for each case, equally likely, the chance that each length passes.
 */
export function averageChances(
  rows: readonly { readonly length: number }[],
  options: { readonly rule: EffectiveLengthRule; readonly passes: readonly (readonly number[])[] },
): readonly EffectiveLengthChance[] {
  const { rule, passes } = options;
  if (rows.length === 0) return [];
  const lengths = rows.map(({ length }) => length);
  const cases = passes.map((chances) => bracketChances(chances, rule));
  return [-1, ...lengths.keys()].map((place) => ({
    length: lengths[place] ?? null,
    text: effectiveLengthText(lengths, place),
    chance: cases.reduce((sum, chances) => sum + chances[place + 1]!, 0) / cases.length,
  }));
}

/** The chance of each bracket, "below the shortest" first, where lengths pass independently of each other. */
function bracketChances(passes: readonly number[], rule: EffectiveLengthRule): readonly number[] {
  const misses = passes.map((pass) => 1 - pass);
  return [-1, ...passes.keys()].map((place) => {
    const factors = rule === "contiguous"
      ? [...passes.slice(0, place + 1), ...misses.slice(place + 1, place + 2)]
      : [...passes.slice(Math.max(place, 0), place + 1), ...misses.slice(place + 1)];
    return factors.reduce((product, factor) => product * factor, 1);
  });
}
