import { stemOf } from "./_find_row.ts";
import { lengthText, readLengthText } from "../length_text.ts";
import type { Disagreement } from "./disagreement.ts";
import type { PublishedRow } from "./published.ts";
import type { PublishedModel } from "./_published_lists.ts";

/** Lists ranks that are printed with a suffix that English does not have. */
export function checkOrdinals(rows: readonly PublishedRow[]): readonly Disagreement[] {
  return rows.flatMap((row) =>
    row.printed.ordinals.flatMap((printed, place): Disagreement[] => {
      const expected = ordinal(parseInt(printed, 10));
      const column = ["wAvg. (inc)", "wAvg. (dec)"][place]!;
      return printed === expected ? [] : [{
        kind: "ordinal",
        cause: "misprint",
        edition: row.edition,
        where: `Table ${row.table}, ${row.model}, rank of ${column}`,
        printed,
        expected,
        why: "A misprint of the suffix; the rank is right.",
      }];
    })
  );
}

/**
 * Lists the cells that break an edition's notation. Where the longest length passes, editions that write `>128K` do so
 * for models that claim more, and `128K` for models that claim no more.
 */
export function checkNotation(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const editions = Map.groupBy(rows, (row) => row.edition);
  return [...editions.values()].filter((edition) => edition.some((row) => row.printed.effectiveLength?.startsWith(">")))
    .flatMap((edition) =>
      edition.flatMap((row): Disagreement[] => {
        const longest = row.scores.at(-1)!.length;
        const printed = row.printed.effectiveLength;
        if (printed?.toUpperCase() !== lengthText(longest) || readLengthText(row.claimedLength) <= longest) return [];
        return [{
          kind: "notation",
          cause: "misprint",
          edition: row.edition,
          where: `Table ${row.table}, ${row.model}, effective length`,
          printed,
          expected: `>${lengthText(longest)}`,
          why: `The longest length passes and the model claims ${row.claimedLength}; other such rows have ">".`,
        }];
      })
    );
}

/** Lists models that one table gives another size than the other tables do. */
export function checkNames(rows: readonly PublishedRow[]): readonly Disagreement[] {
  const stems = Map.groupBy(rows, (row) => `${row.edition} ${stemOf(row.model)}`);
  return [...stems.values()].flatMap((ofStem) => {
    const usual = mostFrequent(ofStem.map((row) => row.model));
    const tablesOfUsual = ofStem.filter((row) => row.model === usual).map((row) => row.table);
    return ofStem.filter((row) => row.model !== usual && !tablesOfUsual.includes(row.table)).map((row) => ({
      kind: "name" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}`,
      printed: row.model,
      expected: usual,
      why: `Tables ${tablesOfUsual.join(", ")} name the model "${usual}".`,
    }));
  });
}

/**
 * Lists models that one table gives another claimed length than most tables of the edition do, Table 4 of the first
 * edition among them.
 */
export function checkClaimedLengths(
  rows: readonly PublishedRow[],
  models: readonly PublishedModel[],
): readonly Disagreement[] {
  const list = models.map(({ model, size, contextLength }) => ({
    edition: "v1" as const,
    table: 4,
    model: size === "-" ? model : `${model} (${size})`,
    claimedLength: contextLength,
  }));
  const named = Map.groupBy([...rows, ...list], (row) => `${row.edition} ${row.model}`);
  return [...named.values()].flatMap((ofModel) => {
    const usual = mostFrequent(ofModel.map((row) => row.claimedLength.toUpperCase()));
    return ofModel.filter((row) => row.claimedLength.toUpperCase() !== usual).map((row) => ({
      kind: "claimed length" as const,
      cause: "misprint" as const,
      edition: row.edition,
      where: `Table ${row.table}, ${row.model}, claimed length`,
      printed: row.claimedLength,
      expected: usual,
      why: `The other tables of the edition print ${usual}.`,
    }));
  });
}

function mostFrequent(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, all]) => ({ text, count: all.length }));
  return counts.reduce((best, next) => next.count > best.count ? next : best).text;
}

function ordinal(rank: number): string {
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${rank}${suffix[new Intl.PluralRules("en", { type: "ordinal" }).select(rank)]}`;
}
