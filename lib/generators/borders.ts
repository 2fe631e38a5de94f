import { shownJson } from "@/lib/base/mod.ts";
import { cannotMake } from "./knob_values.ts";
import type { Knobs } from "./knobs.ts";
import type { Recipe } from "./recipe.ts";
import type { ReplyForm, Task } from "./task.ts";
import { checkReferences } from "@/lib/scorers/mod.ts";

/** Keys of a study's entry that are not knobs. */
const RESERVED_NAMES: readonly string[] = ["task", "name", "knobs", "grid"];

const FIELDS: readonly string[] =
  ("suite earlier name nameOf about category asks knobs tasks scorers scorerOf answerRoom " +
    "answerShare write adapt settle describe clusterOf recipe harder probes leastLength").split(" ");

/** Refuses a declaration of a family with unknown fields, which would be ignored, names that no id or study can have, or wrong defaults. */
export function checkFamily(
  options: Readonly<Record<"name", string> & Record<"knobs", Knobs> & Record<"tasks", object>> & {
    readonly scorers: readonly Partial<Task["scorer"]>[];
  },
): void {
  const { name, knobs, tasks, scorers } = options;
  const check = <Value>(values: readonly Value[], wanted: string, isRight: (value: Value) => boolean): void => {
    const wrong = values.findIndex((value) => !isRight(value));
    if (wrong < 0) return;
    const shown = shownJson(values[wrong]);
    throw new RangeError(`Cannot declare family ${name} as ${wanted}: current value is ${shown}`);
  };
  check(Object.keys(options), `each field must be one of ${FIELDS.join(", ")}`, (field) => FIELDS.includes(field));
  const names = [name, ...Object.keys(tasks)];
  check(names, "names of it and its tasks must be letters, digits, _, . and -", (each) => /^[\w.-]+$/.test(each));
  const reserved = `the name of a knob must be none of ${RESERVED_NAMES.join(", ")}`;
  check(Object.keys(knobs), reserved, (knob) => !RESERVED_NAMES.includes(knob));
  for (const [knob, { wanted, byDefault, read }] of Object.entries(knobs)) {
    const isRight = (value: typeof byDefault): boolean => value === undefined || read(value) === value;
    check([byDefault], `the default of ${knob} must be ${wanted}`, isRight);
  }
  const isScorer = (each?: Partial<Task["scorer"]>): boolean =>
    Boolean(each?.name) && typeof each?.grade === "function";
  check(scorers, "each of its scorers must be { name, about, grade }", isScorer);
}

/** Scores an empty reply and a right one, so that a fault of a scorer or of `write` is found before a model is asked. */
export function tryReplies(
  task: Pick<Task, "name" | "scorer" | "answerRoom"> & { form: ReplyForm },
  recipe: Recipe,
): void {
  const { name, scorer, answerRoom, form: { write, settings } } = task;
  const { distractors = [], paths = [], answerPrefix, least } = recipe;
  const check = (isRight: boolean, wanted: string, value: unknown): void => {
    if (!isRight) throw cannotMake(name, wanted, value);
  };
  const areTexts = (values: unknown): boolean =>
    Array.isArray(values) && values.every((each) => typeof each === "string");
  const room = recipe.answerRoom?.(least) ?? answerRoom;
  check(room > 0 && Number.isInteger(room), "answerRoom must be a whole number from 1", room);
  check(areTexts([answerPrefix]), "answerPrefix must be a text", answerPrefix);
  const references = recipe.references(least);
  check(areTexts(references), "references must be a list of texts", references);
  const hasAnswer = references.length > 0 || scorer.allowsEmpty === true;
  check(hasAnswer, "references must have a right answer, unless its scorer has allowsEmpty", references);
  const item = { references, distractors, paths };
  checkReferences(scorer, item, `task ${name}`);
  const right = write(references, { settings: settings as never });
  check(areTexts([right]), "write must return a text", right);
  scorer.grade("", item);
  const isScored = references.length === 0 || scorer.grade(right, item).score.value !== null;
  check(isScored, "write must return a right reply as its scorer wants it, which gave no score", right);
}
