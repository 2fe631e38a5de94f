import { type ExplorerAnswer, type ExplorerFacts, type ExplorerRow, VERDICTS } from "../data.ts";
import type { State } from "./app.ts";
import { lengthText } from "@/lib/base/mod.ts";

/** A property that samples are filtered by. Its id is the key of its filter in a {@linkcode State}. */
export interface Dimension {
  readonly id: string;
  readonly label: string;
  /** The values that occur, in the order of menus and axes. */
  readonly values: readonly string[];
  /** Returns a value as it is shown. */
  text(value: string): string;
}

/** A dimension with its values for a menu. */
export interface Menu extends Pick<Dimension, "id" | "label"> {
  readonly options: readonly {
    readonly value: string;
    readonly text: string;
    /** Number of samples with this value that pass the other filters. */
    readonly count: number;
    readonly isChosen: boolean;
  }[];
}

/** The filters of some rows. */
export interface Filters {
  readonly dimensions: readonly Dimension[];
  /** Returns the dimension with an id; throws a `RangeError` if there is none. */
  dimension(id: string): Dimension;
  /** Returns the values that a filter lets pass, in order; none if it is not set. */
  chosen(state: State, id: string): readonly string[];
  /** Returns the rows that pass all filters, or all but those of some ids; `q` is the search. */
  filtered(state: State, ignored?: readonly string[]): readonly ExplorerRow[];
  /** Returns for each row the place of its value among those of a dimension. */
  places(id: string): Uint16Array;
  /** Returns the dimensions with more than one value. */
  menus(state: State): readonly Menu[];
  /** Returns the change of the state that adds a value to a filter, or removes it if it is chosen. */
  toggled(state: State, id: string, value: string): State;
  /** Returns the change of the state that removes all filters. */
  cleared(): State;
}

/** The key of the search in a state. */
const SEARCH = "q";

/** The number of parts of the context by which depths are filtered. */
export const STRETCHES = 5;

/**
 * Opens the filters of rows: by task, length, fifth of the context, verdict and class of failure of each run, equality of scores, and
 * a search in replies, answers, questions and ids. A filter is a list of values, or for lengths and depths a range such as
 * `4096..16384`; all filters that are set must let a row pass.
 */
export function openFilters(facts: ExplorerFacts, rows: readonly ExplorerRow[]): Filters {
  const rules = [...placeDimensions(facts, rows), ...(facts.isPivotOnly ? [] : answerDimensions(facts))];
  const dimensions = rules.map((rule) => encode(rule, rows));
  const byId = new Map(dimensions.map((each) => [each.id, each]));
  const bits = new Map([...byId.keys(), SEARCH].map((id, at) => [id, 1 << at]));
  const findDimension = (id: string): Coded => {
    const found = byId.get(id);
    if (found !== undefined) return found;
    const known = [...byId.keys()].join(", ");
    throw new RangeError(`Cannot filter samples as the dimension must be one of ${known}: current value is ${id}`);
  };
  const search = openSearch(rows);
  // A bit of each row for each filter that it fails; the filters that these were computed for; and lists, by the filters ignored.
  const fails = new Uint32Array(rows.length);
  const applied = new Map<string, string>();
  const lists = new Map<number, readonly ExplorerRow[]>();
  const apply = (state: State): void => {
    for (const [id, bit] of bits) {
      const wanted = state[id] ?? "";
      if (wanted === (applied.get(id) ?? "")) continue;
      applied.set(id, wanted);
      for (const mask of lists.keys()) if ((mask & bit) !== 0) lists.delete(mask);
      const passes = id === SEARCH ? search(wanted) : passesOf(findDimension(id), wanted);
      for (let at = 0; at < fails.length; at++) fails[at] = passes(at) ? fails[at]! & ~bit : fails[at]! | bit;
    }
  };
  // Filters that are not set let every row pass, so lists that differ only by them are one.
  const maskOf = (ignored: readonly string[]): number => {
    const used = [...bits].filter(([id]) => (applied.get(id) ?? "") !== "" && !ignored.includes(id));
    return used.reduce((mask, [, bit]) => mask | bit, 0);
  };
  const chosen = (state: State, id: string): readonly string[] => chosenOf(findDimension(id), state[id] ?? "");
  return {
    dimensions,
    dimension: findDimension,
    chosen,
    filtered: (state, ignored = []) => {
      apply(state);
      const mask = maskOf(ignored);
      const list = lists.get(mask) ?? rows.filter((_, at) => (fails[at]! & mask) === 0);
      lists.set(mask, list);
      return list;
    },
    places: (id) => findDimension(id).places,
    menus: (state) => {
      apply(state);
      return dimensions.filter(({ values }) => values.length > 1).map(({ id, label, values, text, places }): Menu => {
        const mask = maskOf([id]);
        const counts = new Uint32Array(values.length);
        for (let at = 0; at < fails.length; at++) {
          if ((fails[at]! & mask) === 0) counts[places[at]!]! += 1;
        }
        const those = new Set(chosen(state, id));
        const options = values.map((value, at) => (
          { value, text: text(value), count: counts[at]!, isChosen: those.has(value) }
        ));
        return { id, label, options };
      });
    },
    toggled: (state, id, value) => {
      const before = chosen(state, id);
      const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
      return { [id]: writeValues(after), page: "" };
    },
    cleared: () => ({ ...Object.fromEntries([...bits.keys()].map((id) => [id, ""])), page: "" }),
  };
}

/** Writes the values of a filter for a state. */
export function writeValues(values: readonly string[]): string {
  return values.map((value) => value.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
}

function readValues(text: string): readonly string[] {
  if (text === "") return [];
  return text.split(",").map((value) => value.replaceAll("%2C", ",").replaceAll("%25", "%"));
}

/** Returns the names of tasks, with their suite where two suites have a task of one name. */
export function taskNames({ tasks }: Pick<ExplorerFacts, "tasks">): readonly string[] {
  return tasks.map(({ name, suite }, at) =>
    tasks.some((other, place) => place !== at && other.name === name) ? `${name} (${suite})` : name
  );
}

/** A dimension before its values are known; `order` has those whose order is not that of numbers. */
interface Rule extends Omit<Dimension, "values"> {
  readonly order: readonly string[];
  of(row: ExplorerRow): string;
}

function placeDimensions(facts: ExplorerFacts, rows: readonly ExplorerRow[]): readonly Rule[] {
  const names = taskNames(facts);
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right);
  return [
    { id: "task", label: "Task", order: names, of: ({ task }) => names[task]!, text: String },
    {
      id: "length",
      label: "Length",
      order: lengths.map(String),
      of: ({ length }) => String(length),
      text: (value) => lengthText(Number(value)),
    },
    {
      id: "depth",
      label: "Depth",
      order: [...Array.from({ length: STRETCHES }, (_, at) => String(at)), "none"],
      of: ({ depth }) => depth === null ? "none" : String(Math.min(STRETCHES - 1, Math.floor(STRETCHES * depth))),
      text: stretchText,
    },
  ];
}

function stretchText(value: string): string {
  if (value === "none") return "no one place";
  const from = Number(value);
  return `${100 * from / STRETCHES}–${100 * (from + 1) / STRETCHES}%`;
}

/** The value of a run that does not have a sample. */
const NOT_ASKED = "not asked";

function answerDimensions({ runs, meanings }: ExplorerFacts): readonly Rule[] {
  const labelOf = (what: string, run: number): string => runs.length === 1 ? what : `${what}, ${runs[run]!.label}`;
  const ofRuns = runs.flatMap((_, run): readonly Rule[] => [
    {
      id: `verdict${run}`,
      label: labelOf("Verdict", run),
      order: [...VERDICTS, NOT_ASKED],
      of: ({ answers }) => answers[run]?.verdict ?? NOT_ASKED,
      text: String,
    },
    {
      id: `class${run}`,
      label: labelOf("Failure", run),
      order: [...Object.keys(meanings), "not classified", "none", NOT_ASKED],
      of: ({ answers }) => classOf(answers[run] ?? null),
      text: String,
    },
  ]);
  if (runs.length === 1) return ofRuns;
  const order = ["same", "different", "fewer than two"];
  return [...ofRuns, { id: "scores", label: "Scores", order, of: agreementOf, text: String }];
}

/** Returns the primary class of failure of an answer, or why it has none. */
export function classOf(answer: ExplorerAnswer | null): string {
  if (answer === null) return NOT_ASKED;
  const [mode] = answer.modes;
  if (mode !== undefined) return mode.class;
  return answer.value === null || answer.value === 1 ? "none" : "not classified";
}

function agreementOf({ answers }: ExplorerRow): string {
  const values = answers.flatMap((answer) => answer?.value ?? []);
  if (values.length < 2) return "fewer than two";
  return values.every((value) => value === values[0]) ? "same" : "different";
}

/** A dimension with the place of each row's value. */
interface Coded extends Dimension {
  readonly places: Uint16Array;
}

function encode({ id, label, order, of, text }: Rule, rows: readonly ExplorerRow[]): Coded {
  const found = rows.map(of);
  const occurring = new Set(found);
  const values = order.filter((value) => occurring.has(value));
  const placeOf = new Map(values.map((value, place) => [value, place]));
  return { id, label, text, values, places: Uint16Array.from(found, (value) => placeOf.get(value)!) };
}

/** Returns the values of a dimension that are in a list or in one of its ranges. */
function chosenOf({ values }: Dimension, wanted: string): readonly string[] {
  const parts = readValues(wanted);
  const ranges = parts.flatMap((part) => {
    const [, low, high] = /^([\d.]+?)\.\.([\d.]+)$/.exec(part) ?? [];
    return low === undefined ? [] : [{ low: Number(low), high: Number(high) }];
  });
  return values.filter((value) =>
    parts.includes(value) || ranges.some(({ low, high }) => low <= Number(value) && Number(value) <= high)
  );
}

function passesOf(dimension: Coded, wanted: string): (row: number) => boolean {
  if (wanted === "") return () => true;
  const { values, places } = dimension;
  const chosen = new Set(chosenOf(dimension, wanted));
  const isChosen = values.map((value) => chosen.has(value));
  return (row) => isChosen[places[row]!]!;
}

/** Returns a function that finds rows by a text in any case. The rows' own texts are put together at the first search. */
function openSearch(rows: readonly ExplorerRow[]): (wanted: string) => (row: number) => boolean {
  const texts: string[] = [];
  return (wanted) => {
    if (wanted === "") return () => true;
    const sought = wanted.toLowerCase();
    return (row) => {
      texts[row] ??= textOf(rows[row]!);
      return texts[row].includes(sought);
    };
  };
}

function textOf({ id, question, wanted, answers }: ExplorerRow): string {
  return [id, question, ...wanted, ...answers.map((answer) => answer?.text ?? "")].join("\n").toLowerCase();
}
