import type { Field } from "./figure.ts";
import { lengthText, plural } from "@/lib/base/mod.ts";

/** What was asked: a mark averages over these unless they are an axis. */
const ASKED: readonly string[] = ["suite", "task", "length"];
/** Most values that are named as left out. */
const MOST_NAMED = 6;

/**
 * Keeps the rows whose tasks and lengths all compared marks have, so that no mark is higher as it is a mean of easier ones.
 *
 * A mark is made of the rows with equal values in `axes`. Marks are compared within a suite or task that is an axis, or that an axis
 * determines, as a label does.
 *
 * @param average Fields that a mark may average over, such as `model`. All compared marks have the same of them.
 * @returns The rows, and the values that are left out as not all compared marks have them, as a sentence; empty if there are none.
 * @throws {RangeError} If a mark is of several models, or of several rows of one task and length, such as those of two runs, and
 *   `average` has not the field in which they differ, or if compared marks have nothing in common.
 */
export function commonRows<Row extends object>(
  rows: readonly Row[],
  { axes, average }: { readonly axes: readonly Field<Row>[]; readonly average: readonly Field<Row>[] },
): { readonly rows: readonly Row[]; readonly leftOut: string } {
  const chosen: readonly string[] = [...axes, ...average];
  const nameOf = (row: Row): string => axes.map((field) => `${field} ${shown(row, field)}`).join(", ");
  const refuse = (field: string, mark: readonly Row[]): never => {
    const values = [...new Set(mark.map((row) => shown(row, field)))].slice(0, 3);
    throw new RangeError(
      `Cannot average rows of several values of "${field}" as it must be an axis, the series or in \`average\`, or the rows filtered: current value is ${
        values.length > 1 ? values.join(", ") : `${mark.length} rows without one`
      } at ${nameOf(mark[0]!)}`,
    );
  };
  const differIn = (field: string, mark: readonly Row[]): boolean =>
    new Set(mark.map((row) => shown(row, field))).size > 1;
  const ofModels = chosen.includes("model") ? undefined : groupBy(rows, axes).find((mark) => differIn("model", mark));
  if (ofModels !== undefined) refuse("model", ofModels);
  // Two rows of one task and length differ in something that the reader did not choose, such as the run.
  const twice = groupBy(rows, [...chosen, ...ASKED]).find((mark) => mark.length > 1);
  if (twice !== undefined) {
    const texts = Object.keys(twice[0]!).filter((field) => typeof valueOf(twice[0]!, field) === "string");
    refuse(["run", ...texts].find((field) => differIn(field, twice)) ?? "run", twice);
  }
  const labels = axes.filter((axis) => !["model", "run", "length"].includes(axis));
  const apart = ["suite", "task"].filter((field) =>
    labels.some((axis) => groupBy(rows, [axis]).every((same) => groupBy(same, [field]).length === 1))
  );
  const over = [...new Set([...ASKED, ...average])].filter((field) =>
    !(axes as readonly string[]).includes(field) && !apart.includes(field) && field !== "run"
  );
  const kept = new Set<Row>();
  const names = new Set<string>();
  for (const compared of groupBy(rows, apart)) {
    let common: Set<string> | undefined;
    for (const mark of groupBy(compared, axes)) {
      const keys = new Set(mark.map((row) => keyOf(row, over)));
      common = common?.intersection(keys) ?? keys;
      if (common.size > 0) continue;
      throw new RangeError(
        `Cannot compare the marks as all must have a ${
          over.join(" and ")
        } in common; filter the rows, or make one of these an axis: current value is none at ${
          nameOf(compared[0]!)
        } and ${nameOf(mark[0]!)}`,
      );
    }
    const [same, left] = [true, false].map((isKept) =>
      compared.filter((row) => common!.has(keyOf(row, over)) === isKept)
    );
    for (const row of same!) kept.add(row);
    for (const field of over) {
      const there = new Set(same!.map((row) => shown(row, field)));
      for (const row of left!) if (!there.has(shown(row, field))) names.add(shown(row, field));
    }
  }
  const more = names.size > MOST_NAMED ? ` and ${names.size - MOST_NAMED} more` : "";
  const named = names.size === 0 ? "" : `: ${[...names].slice(0, MOST_NAMED).join(", ")}${more}`;
  const left = rows.length - kept.size;
  const count = `${left} ${plural(left, "row")}`;
  return {
    rows: rows.filter((row) => kept.has(row)),
    leftOut: left === 0 ? "" : `Left out, as not all compared marks have them: ${count}${named}.`,
  };
}

function groupBy<Row extends object>(rows: readonly Row[], fields: readonly string[]): readonly Row[][] {
  return [...Map.groupBy(rows, (row) => keyOf(row, fields)).values()];
}

function keyOf(row: object, fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => valueOf(row, field)));
}

function shown(row: object, field: string): string {
  const value = valueOf(row, field);
  return field === "length" && typeof value === "number" ? lengthText(value) : String(value);
}

function valueOf(row: object, field: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[field];
}
