/**
 * Returns the only row with the given values.
 *
 * @throws {RangeError} If no row has them, or several do.
 */
export function oneRow<Row extends object>(rows: readonly Row[], values: Partial<Row>): Row {
  const wanted = Object.entries(values) as [keyof Row, unknown][];
  const found = rows.filter((row) => wanted.every(([field, value]) => row[field] === value));
  const [row] = found;
  if (row !== undefined && found.length === 1) return row;
  const named = wanted.map(([field, value]) => `${String(field)} ${JSON.stringify(value)}`).join(" and ");
  throw new RangeError(`Cannot pick a row as exactly one must have ${named}: current value is ${found.length} rows`);
}

/** The row of a model in each list, by the name of the list. */
export type RowOfEach<Lists extends Readonly<Record<string, readonly unknown[]>>> = {
  readonly [Name in keyof Lists]: Lists[Name][number];
};

/**
 * Joins lists of runs, or of other rows, by model: for each model of the first list its row of every list.
 *
 * @throws {RangeError} If a list has no row of a model, or several.
 */
export function joinByModel<Lists extends Readonly<Record<string, readonly { readonly model: string }[]>>>(
  lists: Lists,
): readonly ({ readonly model: string } & RowOfEach<Lists>)[] {
  const [first = []] = Object.values(lists);
  return first.map(({ model }) => {
    const own = Object.entries(lists).map(([name, rows]) => [name, oneRow(rows, { model })]);
    return { model, ...Object.fromEntries(own) as RowOfEach<Lists> };
  });
}
