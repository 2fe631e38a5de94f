/** The tasks of Needle Threading. */
export type ThreadingKind =
  | "single_needle"
  | "multi_needle"
  | "conditional_needle"
  | "single_thread"
  | "multi_thread"
  | "branched_thread";

/** What a question names. */
export interface ThreadingQuestion {
  /** The keys asked for, or at which threads start; none in `conditional_needle`. */
  readonly keys: readonly string[];
  /** The character that marks keys in `conditional_needle`. */
  readonly character: string;
}

const LIST_FORM = `such as ["first value", "second value"], and nothing else.`;
const THREAD = "is itself a key of the object, whose value is again a key, and so on.";

/**
 * Words the question of each task. That of `single_needle` is the paper's (README of its repository); the others' are not
 * public and are Fathom's own, in the same style.
 */
export function threadingQuestion(kind: ThreadingKind, { keys, character }: ThreadingQuestion): string {
  const key = `Key: "${keys[0]}"`;
  const list = `Keys: [${keys.map((each) => `"${each}"`).join(", ")}]`;
  switch (kind) {
    case "single_needle":
      return `Extract the value corresponding to the specified key in the JSON object. ${key}\n Corresponding value: `;
    case "multi_needle":
      return "Extract the values corresponding to the specified keys in the JSON object. Give the values as a JSON list " +
        `in the order of the keys, ${LIST_FORM} ${list}\n Corresponding values: `;
    case "conditional_needle":
      return `Extract the values corresponding to all keys in the JSON object that contain the character "${character}". ` +
        `Give the values as a JSON list in the order in which they stand in the JSON object, ${LIST_FORM}\n` +
        " Corresponding values: ";
    case "single_thread":
      return `The value corresponding to the specified key in the JSON object ${THREAD} Follow this thread to its end and ` +
        `extract the last value, which is not a key of the object. Give the last value and nothing else. ${key}\n` +
        " Last value: ";
    case "multi_thread":
      return "Each of the specified keys in the JSON object starts a thread: the value corresponding to the key " +
        `${THREAD} Follow each thread to its end and extract its last value, which is not a key of the object. ` +
        `Give the last values as a JSON list in the order of the keys, ${LIST_FORM} ${list}\n Last values: `;
    case "branched_thread":
      return `The value corresponding to the specified key in the JSON object ${THREAD} Some keys stand several times ` +
        "with different values, so that the thread branches, and all branches but one end early. Follow the longest " +
        `thread to its end and extract its last value. Give the last value and nothing else. ${key}\n Last value: `;
  }
}
