// Sorts the tables of a report, and opens its sections at once; element() is that of charts.js. Without scripts tables keep their order.

const NUMBER = /^[≈±$+\s]*([<>≤≥]?)\s*([-−]?\d[\d,]*(?:\.\d+)?)\s*([KM](?![\p{L}\d]))?/u;
/** A click sorts up, then down, then restores the order of the page. */
const NEXT = { none: "ascending", ascending: "descending" };
const UNITS = { K: 1024, M: 1024 ** 2 };

/** The number that a text begins with, such as 128K, <1K or 71.0 [60, 80]; undefined if there is none. */
const numberOf = (text) => {
  const [, sign, digits, unit] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replaceAll(",", "").replace("−", "-")) * (UNITS[unit] ?? 1);
  const beyond = Math.abs(value) * 1e-9 + 1e-12;
  if (sign === "") return value;
  return /[<≤]/.test(sign) ? value - beyond : value + beyond;
};

/** Compares two rows by a column; rows without a value come last in both directions. */
const comparer = (rows, column, direction) => {
  const texts = new Map(rows.map((row) => [row, row.cells[column].textContent.trim()]));
  const isMissing = (text) => text === "" || text === "–";
  const known = [...texts.values()].filter((text) => !isMissing(text));
  const isNumeric = known.filter((text) => numberOf(text) !== undefined).length > known.length / 2;
  const valueOf = (row) => {
    const text = texts.get(row);
    if (isMissing(text)) return undefined;
    return isNumeric ? numberOf(text) : text;
  };
  return (left, right) => {
    const [one, other] = [valueOf(left), valueOf(right)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return direction * (isNumeric ? one - other : one.localeCompare(other, "en", { numeric: true }));
  };
};

for (const table of document.querySelectorAll(".rows > table")) {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  if (rows.length < 3) continue;
  table.classList.add("sortable");
  heads.forEach((head, column) => {
    const button = element("button", {}, [...head.childNodes]);
    head.append(button);
    button.addEventListener("click", () => {
      const next = NEXT[head.ariaSort ?? "none"];
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      if (next === undefined) return body.append(...rows);
      head.ariaSort = next;
      body.append(...rows.toSorted(comparer(rows, column, next === "ascending" ? 1 : -1)));
    });
  });
}

const sections = [...document.querySelectorAll("details.section")];
if (sections.length > 1) {
  const button = element("button", { class: "open-all" });
  const isOpen = () => sections.every(({ open }) => open);
  const label = () => button.textContent = isOpen() ? "Close all sections" : "Open all sections";
  button.addEventListener("click", () => {
    const open = !isOpen();
    sections.forEach((section) => section.open = open);
  });
  sections.forEach((section) => section.addEventListener("toggle", label));
  label();
  sections[0].before(button);
}
