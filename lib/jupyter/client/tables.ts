/// <reference lib="dom" />

const NUMBER = /^[≈±$+\s]*([<>≤≥]?)\s*([-−]?\d[\d,]*(?:\.\d+)?)\s*([KM](?![\p{L}\d]))?/u;
const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2 };
const SIGNS: Readonly<Record<string, number>> = { "<": -1, "≤": -1, ">": 1, "≥": 1 };

/** Returns the number that a text begins with, such as 128K, <1K or 71.0 [60, 80]; `undefined` if there is none. */
function numberOf(text: string): number | undefined {
  const [, sign = "", digits, unit = ""] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll(",", "").replace("−", "-")) * (UNITS[unit] ?? 1);
  return value + (SIGNS[sign] ?? 0) * (Math.abs(value) * 1e-9 + 1e-12);
}

/** Returns the rows in the order of a column; those without a value come last in both directions. */
function sorted(rows: readonly HTMLTableRowElement[], column: number, direction: number): HTMLTableRowElement[] {
  const read = rows.map((row) => {
    const text = row.cells[column]!.textContent.trim();
    return { row, text, value: numberOf(text) };
  });
  const known = read.filter(({ text }) => text !== "" && text !== "–");
  const others = read.filter((each) => !known.includes(each));
  const isNumeric = known.filter(({ value }) => value !== undefined).length > known.length / 2;
  const last = direction * Number.MAX_VALUE;
  known.sort((one, other) =>
    direction *
    (isNumeric
      ? (one.value ?? last) - (other.value ?? last)
      : one.text.localeCompare(other.text, "en", { numeric: true }))
  );
  return [...known, ...others].map(({ row }) => row);
}

/** Makes the heads of a table of a report buttons that sort it: up, then down, then back to the order of the page. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0]!;
  const rows = [...body.rows];
  const heads = [...table.tHead!.rows[0]!.cells];
  if (rows.length < 3) return;
  table.classList.add("sortable");
  for (const [column, head] of heads.entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.ariaSort;
      for (const each of heads) each.ariaSort = null;
      if (before === "descending") return body.append(...rows);
      head.ariaSort = before === null ? "ascending" : "descending";
      body.append(...sorted(rows, column, before === null ? 1 : -1));
    });
  }
}
