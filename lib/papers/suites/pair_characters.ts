import counted from "@/data/tokenizers/costs.csv" with { type: "text" };
import { column, readRows } from "@/lib/statistics/mod.ts";

/** The text of `data/tokenizers/costs.csv` that consists of pairs of random UUIDs. */
const PAIRS = "UUID pairs";

/**
 * Returns the characters per token of a haystack of random UUIDs; `null` for a tokenizer that was not counted.
 *
 * @param tokenizer Its name in a run's materials, such as `o200k_base`.
 */
export function pairCharactersPerToken(tokenizer: string): number | null {
  const rows = readRows(counted, {
    file: "data/tokenizers/costs.csv",
    columns: {
      folder: column.text("folder"),
      text: column.text("text"),
      characters: column.count("characters"),
      tokens: column.count("tokens"),
    },
  });
  const cost = rows.find(({ folder, text }) => text === PAIRS && folder === tokenizer);
  return cost === undefined ? null : cost.characters / cost.tokens;
}
