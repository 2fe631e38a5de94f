import { measure, repeat, type Tokenizer } from "@/lib/text/mod.ts";
import type { Chain } from "./_chains.ts";
import type { Part } from "../_layout.ts";
import { NOISE_LINE } from "../_noise.ts";
import type { Variant } from "./variant.ts";

/** An assignment in its place. */
interface PlacedLine {
  /** The share of the noise before it. */
  readonly depth: number;
  readonly text: string;
  readonly fact: NonNullable<Part["fact"]>;
}

/**
 * Hides chains among noise lines.
 *
 * The code of 2026 ends each line with a newline. The code of 2024 joins lines by a space, and only noise lines end with a
 * newline. In both, a line that assigns one variable to another ends with a space; in the paper it does not.
 *
 * @returns A function that lays the lines out with so many noise lines.
 */
export function hideChains(
  chains: readonly Chain[],
  { variant, tokenizer }: { readonly variant: Variant; readonly tokenizer: Tokenizer },
): (noiseLines: number) => Part[] {
  const separator = variant === "2024" ? " " : "";
  const ending = variant === "2024" ? "" : "\n";
  const noise = measure(`${separator}${NOISE_LINE}\n`, tokenizer);
  const dress = ({ text, fact }: PlacedLine, isFirst: boolean): Part => ({
    measured: measure(`${isFirst ? "" : separator}${text}${ending}`, tokenizer),
    fact,
  });
  // Sorting is stable: assignments of a chain at one depth stay in their order.
  const lines = chains.flatMap((chain) => placeLines(chain, variant)).sort((left, right) => left.depth - right.depth);
  const dressed = lines.map((line) => dress(line, false));
  return (noiseLines) => {
    const parts: Part[] = [];
    let filled = 0;
    const addNoise = (upTo: number): void => {
      if (upTo <= filled) return;
      // Nothing parts the first line from the opening.
      const bare = parts.length === 0;
      if (bare) parts.push({ measured: measure(`${NOISE_LINE}\n`, tokenizer) });
      parts.push({ measured: repeat(noise, { times: upTo - filled - Number(bare), tokenizer }) });
      filled = upTo;
    };
    lines.forEach((line, index) => {
      addNoise(Math.round(line.depth * noiseLines));
      parts.push(parts.length === 0 ? dress(line, true) : dressed[index]!);
    });
    addNoise(noiseLines);
    return parts;
  };
}

function placeLines({ names, value, depths, role }: Chain, variant: Variant): PlacedLine[] {
  return names.map((name, hop) => {
    const source = hop === 0 ? value : names[hop - 1]!;
    const [keyword, ending] = hop === 0 || variant === "paper" ? ["", ""] : ["VAR ", " "];
    const text = `VAR ${name} = ${keyword}${source}`;
    return { depth: depths[hop]!, text: text + ending, fact: { role, text, key: name, value: source } };
  });
}
