import { type Grading, type OwnFailure, type Scorer, splitText, stripText } from "@/lib/scorers/mod.ts";

/** An answer beside the right steps. */
interface Compared {
  readonly answer: string;
  /** Its steps; 0 if there is no answer. */
  readonly given: number;
  /** Those before the first wrong one. */
  readonly same: number;
  /** The steps that earn partial credit. */
  readonly credited: number;
}

function stepScorer(
  described: Pick<Scorer, "name" | "about" | "extract">,
  compare: (reply: string, right: readonly string[]) => Compared,
): Scorer {
  return {
    ...described,
    shape: "text",
    explain(reply, { references }): OwnFailure | null {
      const { given, same } = compare(reply, references);
      // The general rules know refusals, loops and further text.
      if (given === 0 || given > references.length) return null;
      const isCut = same === given;
      const why = `step ${same + 1} of ${references.length} is ${isCut ? "missing" : "wrong"}`;
      return { class: isCut ? "incomplete answer" : "other answer", why };
    },
    grade(reply, { references }): Grading {
      const count = references.length;
      const { answer, given, same, credited } = compare(reply, references);
      const isRight = same === count && given === count;
      const score = { value: isRight ? 1 : 0, answer, why: `${same} of ${count} steps are right, ${given} are given` };
      const partial = { ...score, value: isRight ? 1 : credited / count };
      return { score, penalised: score, partial, unparsable: given === 0 && answer !== "" };
    },
  };
}

const [OPEN, CLOSE] = ["<Route>", "</Route>"];

/** Path traversal, as `eval_path_traversal` of the authors' longproc_data.py scores it. */
export const routeSteps: Scorer = stepScorer({
  name: "route",
  about:
    "1 if the text from the first `<Route>` to the first `</Route>` is the route, else 0; partial: the share of its lines up to " +
    "the first wrong one, which counts too, as in the authors' code",
  extract(reply): string | null {
    const [start, end] = [reply.indexOf(OPEN), reply.indexOf(CLOSE)];
    return start < 0 || end < start ? null : reply.slice(start, end + CLOSE.length);
  },
}, (reply, right) => {
  const [start, end] = [reply.indexOf(OPEN), reply.indexOf(CLOSE)];
  if (start < 0 || end < 0) return { answer: reply.trim(), given: 0, same: 0, credited: 0 };
  const answer = stripText(reply.slice(start + OPEN.length, end));
  const lines = answer.split("\n");
  const same = countSame(lines, right);
  return { answer, given: lines.length, same, credited: Math.min(same + 1, lines.length, right.length) };
});

/** Theory-of-mind tracking, as `evaluate_tom_trace` of the authors' tom_tracking_evaluator.py scores it. */
export const beliefLines: Scorer = stepScorer({
  name: "belief trace",
  about:
    "1 if the lines that begin with a hyphen are the right ones, without case, punctuation and some small words, else 0; " +
    "partial: the share of lines before the first wrong one",
  extract: (reply) => /^-.*(?:\n-.*)*/m.exec(reply)?.[0] ?? null,
}, (reply, right) => {
  const lines = reply.split(LINE_BREAK).filter((line) => stripText(line).startsWith("-"));
  // Subtle: the authors strip the joined lines, so that the first may be indented and others may not.
  const listed = lines.filter((line, at) => at === 0 || line.startsWith("-"));
  const given = listed.map(readBelief).filter((line) => line !== "");
  const same = countSame(given, right.map(readBelief));
  return { answer: lines.length === 0 ? reply.trim() : lines.join("\n"), given: given.length, same, credited: same };
});

/** Line breaks by Python's `str.splitlines`. */
// deno-lint-ignore no-control-regex -- control characters are among them
const LINE_BREAK = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;
const PUNCTUATION = /[!-/:-@[-`{-~’]/g;
const SMALL_WORDS =
  /(?<![\p{L}\p{N}_])(?:a|an|the|on|in|at|step|thinks|think|believes|believe|is|are|of|location|know|knows|belief)(?![\p{L}\p{N}_])/gu;

/** Returns the words of a line after its first hyphen that are compared. */
function readBelief(line: string): string {
  const words = line.slice(line.indexOf("-") + 1).toLowerCase().replaceAll(PUNCTUATION, "");
  return splitText(words.replaceAll(SMALL_WORDS, " ")).join(" ");
}

/** Counts the lines up to the first that differs. */
function countSame(lines: readonly string[], right: readonly string[]): number {
  const wrong = right.findIndex((line, at) => line !== lines[at]);
  return wrong < 0 ? right.length : wrong;
}
