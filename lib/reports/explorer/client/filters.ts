import { type ExplorerAnswer, type ExplorerFacts, type ExplorerRow, VERDICTS } from "../data.ts";
import type { Choice } from "./pieces.ts";
import { lengthText } from "@/lib/base/mod.ts";

/** The state of a page, as in its address: filters, order, open sample, threshold, pivot. Values that are not set are left out. */
export type State = Readonly<Record<string, string>>;

/** A property that samples are filtered by. Its id is the key of its filter in a {@linkcode State}. */
export interface Dimension {
  readonly id: string;
  readonly label: string;
  /** The values that occur, in the order of menus and axes. */
  readonly values: readonly string[];
  /** For each row the place of its value among them. */
  readonly places: Uint16Array;
  /** Returns a value as it is shown. */
  text(value: string): string;
}

/** A dimension with its values for a menu. */
export interface Menu extends Pick<Dimension, "id" | "label"> {
  /** The values with the numbers of samples that have them and pass the other filters. */
  readonly options: readonly (Choice & { readonly count: number })[];
}

/** The filters of some rows. */
export interface Filters {
  readonly dimensions: readonly Dimension[];
  /** Returns the dimension with an id. */
  dimension(id: string): Dimension;
  /** Returns the values that a filter lets pass, in order; none if it is not set. */
  chosen(state: State, id: string): readonly string[];
  /** Returns the rows that pass all filters, or all but those of some ids; `q` is the search. Equal filters give the same list. */
  filtered(state: State, ignored?: readonly string[]): readonly ExplorerRow[];
  /** Returns the dimensions with more than one value. */
  menus(state: State): readonly Menu[];
  /** Returns the change of the state that removes all filters. */
  cleared(): State;
}

/**
 * Opens the filters of rows: by task, length, fifth of the context, verdict and class of failure of each run, equality of scores, and
 * a search in replies, answers, questions and ids. A filter is a list of values, or for lengths and depths a range such as
 * `4096..16384`; all filters that are set must let a row pass.
 */
export function openFilters(facts: ExplorerFacts, rows: readonly ExplorerRow[]): Filters {
  const rules = [...placeRules(facts, rows), ...(facts.isPivotOnly ? [] : answerRules(facts))];
  const byId = new Map(rules.map((rule) => [rule.id, readDimension(rule, rows)]));
  const dimensions = [...byId.values()];
  const bits = new Map([...byId.keys(), "q"].map((id, at) => [id, 1 << at]));
  const search = openSearch(rows);
  // A bit of each row for each filter that it fails; the filters that these were computed for; and lists, by the filters in use.
  const fails = new Uint32Array(rows.length);
  const applied = new Map<string, string>();
  const lists = new Map<number, readonly ExplorerRow[]>([[0, [...rows]]]);
  const apply = (state: State): void => {
    for (const [id, bit] of bits) {
      const wanted = state[id] ?? "";
      if (wanted === (applied.get(id) ?? "")) continue;
      applied.set(id, wanted);
      for (const mask of lists.keys()) if ((mask & bit) !== 0) lists.delete(mask);
      const passes = id === "q" ? search(wanted) : passesOf(byId.get(id)!, wanted);
      for (let at = 0; at < fails.length; at++) fails[at] = passes(at) ? fails[at]! & ~bit : fails[at]! | bit;
    }
  };
  const maskOf = (ignored: readonly string[]): number => {
    const used = [...bits].filter(([id]) => (applied.get(id) ?? "") !== "" && !ignored.includes(id));
    return used.reduce((mask, [, bit]) => mask | bit, 0);
  };
  const chosen = (state: State, id: string): readonly string[] => chosenOf(byId.get(id)!, state[id] ?? "");
  const countsOf = ({ id, values, places }: Dimension): Uint32Array => {
    const mask = maskOf([id]);
    const counts = new Uint32Array(values.length);
    for (let at = 0; at < fails.length; at++) if ((fails[at]! & mask) === 0) counts[places[at]!]! += 1;
    return counts;
  };
  return {
    dimensions,
    dimension: (id) => byId.get(id)!,
    chosen,
    filtered: (state, ignored = []) => {
      apply(state);
      const mask = maskOf(ignored);
      const list = lists.get(mask) ?? rows.filter((_, at) => (fails[at]! & mask) === 0);
      lists.set(mask, list);
      return list;
    },
    menus: (state) => {
      apply(state);
      return dimensions.filter(({ values }) => values.length > 1).map((dimension): Menu => {
        const { id, label, values, text } = dimension;
        const [counts, those] = [countsOf(dimension), chosen(state, id)];
        const options = values.map((value, at) => (
          { value, text: text(value), count: counts[at]!, isChosen: those.includes(value) }
        ));
        return { id, label, options };
      });
    },
    cleared: () => Object.fromEntries([...bits.keys()].map((id) => [id, ""])),
  };
}

/** Writes the values of a filter for a state. */
export function writeValues(values: readonly string[]): string {
  return values.map((value) => value.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
}

/** Returns the names of tasks, with their suite where two suites have a task of one name. */
export function taskNames({ tasks }: Pick<ExplorerFacts, "tasks">): readonly string[] {
  return tasks.map(({ name, suite }, at) =>
    tasks.some((other, place) => place !== at && other.name === name) ? `${name} (${suite})` : name
  );
}

/** A dimension before its rows are read: all values in order, and that of a row. */
interface Rule extends Pick<Dimension, "id" | "label"> {
  readonly order: readonly string[];
  of(row: ExplorerRow): string;
  text?(value: string): string;
}

/** The number of stretches of the context by which depths are filtered. */
const STRETCHES = 5;

function placeRules(facts: ExplorerFacts, rows: readonly ExplorerRow[]): readonly Rule[] {
  const names = taskNames(facts);
  const lengths = [...new Set(rows.map(({ length }) => length))].sort((left, right) => left - right).map(String);
  const stretches = Array.from({ length: STRETCHES }, (_, at) => String(at));
  const stretchOf = ({ depth }: ExplorerRow): string =>
    depth === null ? "none" : String(Math.min(STRETCHES - 1, Math.floor(STRETCHES * depth)));
  const stretchText = (value: string): string =>
    value === "none" ? "no one place" : `${Number(value) * 100 / STRETCHES}–${(Number(value) + 1) * 100 / STRETCHES}%`;
  const textOfLength = (value: string): string => lengthText(Number(value));
  return [
    { id: "task", label: "Task", order: names, of: ({ task }) => names[task]! },
    { id: "length", label: "Length", order: lengths, of: ({ length }) => String(length), text: textOfLength },
    { id: "depth", label: "Depth", order: [...stretches, "none"], of: stretchOf, text: stretchText },
  ];
}

function answerRules({ runs, meanings }: ExplorerFacts): readonly Rule[] {
  const verdicts = [...VERDICTS, "not asked"];
  const classes = [...Object.keys(meanings), "not classified", "none", "not asked"];
  const ofRuns = runs.flatMap(({ label }, run): Rule[] => {
    const name = runs.length === 1 ? "" : `, ${label}`;
    const verdictOf = ({ answers }: ExplorerRow): string => answers[run]?.verdict ?? "not asked";
    return [
      { id: `verdict${run}`, label: `Verdict${name}`, order: verdicts, of: verdictOf },
      {
        id: `class${run}`,
        label: `Failure${name}`,
        order: classes,
        of: ({ answers }) => classOf(answers[run] ?? null),
      },
    ];
  });
  if (runs.length === 1) return ofRuns;
  const order = ["same", "different", "fewer than two"];
  return [...ofRuns, { id: "scores", label: "Scores", order, of: agreementOf }];
}

/** Returns the primary class of failure of an answer, or why it has none. */
export function classOf(answer: ExplorerAnswer | null): string {
  if (answer === null) return "not asked";
  const isRight = answer.value === null || answer.value === 1;
  return answer.modes[0]?.class ?? (isRight ? "none" : "not classified");
}

function agreementOf({ answers }: ExplorerRow): string {
  const values = answers.flatMap((answer) => answer?.value ?? []);
  if (values.length < 2) return "fewer than two";
  return values.every((value) => value === values[0]) ? "same" : "different";
}

function readDimension({ id, label, order, of, text = String }: Rule, rows: readonly ExplorerRow[]): Dimension {
  const found = rows.map(of);
  const occurring = new Set(found);
  const values = order.filter((value) => occurring.has(value));
  const placeOf = new Map(values.map((value, place) => [value, place]));
  return { id, label, text, values, places: Uint16Array.from(found, (value) => placeOf.get(value)!) };
}

/** Returns the values of a dimension that are in a list or in one of its ranges. */
function chosenOf({ values }: Dimension, wanted: string): readonly string[] {
  const parts = wanted === "" ? [] : wanted.split(",");
  return values.filter((value) =>
    parts.some((part) => {
      const [, low = NaN, high = NaN] = /^([\d.]+?)\.\.([\d.]+)$/.exec(part) ?? [];
      const isInRange = Number(low) <= Number(value) && Number(value) <= Number(high);
      return isInRange || part === writeValues([value]);
    })
  );
}

function passesOf(dimension: Dimension, wanted: string): (row: number) => boolean {
  const { values, places } = dimension;
  const chosen = chosenOf(dimension, wanted);
  const isChosen = values.map((value) => wanted === "" || chosen.includes(value));
  return (row) => isChosen[places[row]!]!;
}

/** Returns a function that finds rows by a text in any case. The rows' own texts are put together at the first search. */
function openSearch(rows: readonly ExplorerRow[]): (wanted: string) => (row: number) => boolean {
  const texts: string[] = [];
  return (wanted) => {
    const sought = wanted.toLowerCase();
    return (row) => sought === "" || (texts[row] ??= textOf(rows[row]!)).includes(sought);
  };
}

function textOf({ id, question, wanted, answers }: ExplorerRow): string {
  return [id, question, ...wanted, ...answers.map((answer) => answer?.text ?? "")].join("\n").toLowerCase();
}
