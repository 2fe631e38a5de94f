import type { Answerable, Grading, ReferenceParts, Score, Scorer } from "./scorer.ts";

/** The parts of scorers that declare none: a list of right answers. */
const ANSWERS: ReferenceParts = { names: ["a right answer"], several: "last" };

const NO_REFERENCES = "there are no references";
const NO_DISTRACTORS = "the wrong answers in the text (distractors) are missing";

/**
 * Finds the part that a scorer needs and the references of a sample do not have; `null` if they are whole.
 *
 * An empty reference is a missing one, as every reply contains it. An empty list is whole: the right answer of such a sample is
 * unknown, as in a test set without answers, and {@linkcode gradeReply} gives it no score.
 *
 * @returns What is wrong, such as `the keyword is missing`.
 */
export function referenceFault(
  { parts = ANSWERS, needsDistractors }: Pick<Scorer, "parts" | "needsDistractors">,
  { references, distractors }: Answerable,
): string | null {
  const { names, several, lacks } = parts;
  const count = references.length;
  if (count === 0) return null;
  const repeated = Math.max(0, count - names.length);
  const wanted = several === "first"
    ? [...Array<string>(repeated).fill(names[0]!), ...names]
    : [...names, ...Array<string>(several === undefined ? 0 : repeated).fill(names.at(-1)!)];
  const missing = wanted.find((_, at) => (references[at] ?? "").trim() === "");
  if (missing !== undefined) return `${missing} is missing`;
  if (count > wanted.length) return `there are ${count} references instead of ${wanted.length}`;
  const lacking = lacks?.(references) ?? null;
  if (lacking !== null) return `${lacking} is missing`;
  return needsDistractors && distractors?.length !== count ? NO_DISTRACTORS : null;
}

/**
 * Refuses references that lack a part which their scorer needs. Prediction files, verifiers, imports and files of samples are checked
 * here.
 *
 * @param what The sample that the references belong to, as in `prediction 3`.
 * @throws {RangeError} If a part is missing, or there are too many.
 */
export function checkReferences(scorer: Scorer, item: Answerable, what: string): void {
  const fault = referenceFault(scorer, item);
  if (fault === null) return;
  if (fault === NO_DISTRACTORS) {
    throw new RangeError(
      `Cannot score ${what} as "distractors" must be the wrong answer in the text for each reference, as the scorer "${scorer.name}" needs them: current value is ${
        item.distractors === undefined ? "none" : `${item.distractors.length} for ${item.references.length} references`
      }`,
    );
  }
  const { names, several } = scorer.parts ?? ANSWERS;
  const repeated = several === "first" ? 0 : names.length - 1;
  const wanted = names.map((name, at) => several !== undefined && at === repeated ? `${name} (once or more)` : name);
  throw new RangeError(
    `Cannot score ${what} as the references of the scorer "${scorer.name}" must be ${
      wanted.join(" and ")
    }: current value is ${item.references.length} of them, and ${fault}`,
  );
}

/** Returns the scorer that grades by {@linkcode gradeReply}; those of all families are such. */
export function guardScorer(scorer: Scorer): Scorer {
  if (scorer.unguarded !== undefined) return scorer;
  return { ...scorer, unguarded: scorer, grade: (reply, item) => gradeReply(scorer, reply, item) };
}

/** Scores a reply; references that lack a part, as in older records, give no score. */
export function gradeReply(scorer: Scorer, reply: string, item: Answerable): Grading {
  const isUnknown = item.references.length === 0 && scorer.allowsEmpty !== true;
  const fault = isUnknown ? NO_REFERENCES : referenceFault(scorer, item);
  if (fault === null) return checkGrading(scorer.grade(reply, item), scorer);
  const score = nothingToScore(reply.trim(), fault);
  return { score, penalised: score };
}

/** Refuses what a scorer returns if it is no grading; a score that is computed when it is read is not. */
function checkGrading(grading: Grading, { name }: Scorer): Grading {
  const { score, penalised, partial = score }: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(grading ?? {});
  const isScore = (score?: Score): boolean => typeof score?.answer === "string" && typeof score.why === "string";
  const isShare = (value: unknown): boolean => value === null || typeof value === "number" && value >= 0 && value <= 1;
  const isFine = (each?: PropertyDescriptor): boolean => isScore(each?.value) && isShare(each!.value.value);
  if ([score, penalised, partial].every((each) => each?.get !== undefined || isFine(each))) return grading;
  const given = JSON.stringify(grading, (_, value) => value === undefined || value !== value ? String(value) : value);
  throw new TypeError(
    `Cannot use the scorer "${name}" as grade() must return { score, penalised } and no promise, each with a value in [0, 1] or null, answer and why: current value is ${given}`,
  );
}

/** Returns the score of a reply that has no right answer to be compared with. */
export function nothingToScore(answer: string, fault: string = NO_REFERENCES): Score {
  return { value: null, answer, why: `nothing to score: ${fault}` };
}
