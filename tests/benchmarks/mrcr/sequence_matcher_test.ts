import { deepEqual, equal, ok } from "node:assert/strict";
import { cases } from "../../_cases.ts";
import { findProgram, named } from "../../e2e/_project.ts";
import { runPython } from "../../_python.ts";
import { MOST_COMPARED, sequenceRatio } from "@/lib/benchmarks/mrcr/sequence_matcher.ts";
import { type Draw, integer, pick, stream } from "@/lib/random/mod.ts";

const fox = "The quick brown fox jumps over the lazy dog while 37 quiet owls watch. ".repeat(3);
const hare = fox.replaceAll("fox", "hare").replaceAll("quiet", "loud");

// Python 3.11: difflib.SequenceMatcher(None, first, second).ratio().
Deno.test.each(
  [
    ["code points, not UTF-16 units", "a😀b😀c", "a😀c", 0.75],
    ["two orders", "tide", "diet", 0.25],
    ["two orders, swapped", "diet", "tide", 0.5],
    ["199 characters have no frequent ones", "ab".repeat(60), `${"ba".repeat(99)}b`, 0.7523510971786834],
    ["in 200 characters all are frequent", "ab".repeat(60), "ba".repeat(100), 0],
    ["rare characters start a match", `x${"ab".repeat(120)}`, `yx${"ab".repeat(120)}`, 0.9979296066252588],
    ["edits of a text", fox, hare, 0.7276995305164319],
    ["edits of a text, swapped", hare, fox, 0.8873239436619719],
  ] as [string, string, string, number][],
)("sequenceRatio() %s", (_, first, second, ratio) => {
  equal(sequenceRatio(first, second), ratio);
});

Deno.test("sequenceRatio() compares texts up to a limit, counts their whole length, and ends on texts made to take long", () => {
  const answer = fox.slice(0, 190);
  const filled = answer + "#".repeat(MOST_COMPARED);
  equal(sequenceRatio(filled, answer), 2 * 190 / (filled.length + 190));
  // The answer after the limit is not found.
  equal(sequenceRatio("#".repeat(MOST_COMPARED) + answer, answer), 0);
  const write = (length: number, place: (at: number) => number): string =>
    Array.from({ length }, (_, at) => String.fromCharCode(97 + place(at) % 7)).join("");
  const [hostile, short] = [write(20_000, (at) => at), write(199, (at) => at * at)];
  ok(sequenceRatio(hostile, short) < 0.05);
  ok(sequenceRatio("a".repeat(100_000), "a".repeat(199)) < 0.01);
  ok(sequenceRatio(short.repeat(600), hostile) >= 0);
});

/** Draws two texts of few or many different characters: one, and another one or the same with edits. */
function drawPair(draw: Draw): readonly [string, string] {
  const alphabet = [...pick(draw, ["ab", "abcdefgh ", "etaoin shrdlu.,\n", "aé😀漢\u0301 x", "0123456789"])];
  const drawText = (most: number): string[] =>
    Array.from({ length: integer(draw, { low: 0, high: most }) }, () => pick(draw, alphabet));
  const words = [drawText(9), drawText(9), drawText(9)];
  const size = pick(draw, [0, 1, 5, 60, 198, 199, 200, 201, 202, 400, 900]);
  const one = pick(draw, [drawText(size), Array.from({ length: size }, () => pick(draw, words)).flat().slice(0, size)]);
  const other = draw() < 0.2 ? drawText(size) : [...one];
  for (let edits = integer(draw, { low: 0, high: 12 }); edits > 0; edits--) {
    const at = integer(draw, { low: 0, high: other.length });
    other.splice(at, integer(draw, { low: 0, high: 20 }), ...drawText(9));
  }
  return draw() < 0.5 ? [one.join(""), other.join("")] : [other.join(""), one.join("")];
}

const SCRIPT = `import sys, json, difflib
json.dump([difflib.SequenceMatcher(None, a, b).ratio() for a, b in json.load(sys.stdin)], sys.stdout)`;
const python = findProgram("python3");

Deno.test({
  name: named("sequenceRatio() equals Python's difflib", { "no python3 on the PATH": python === undefined }),
  ignore: python === undefined,
  fn(): void {
    const draw = stream("sequence ratio");
    const pairs = Array.from({ length: cases(1_000, 10_000) }, () => drawPair(draw));
    const ratios: number[] = JSON.parse(runPython(python!, ["-c", SCRIPT], JSON.stringify(pairs)));
    deepEqual(pairs.filter((pair, at) => sequenceRatio(...pair) !== ratios[at]).slice(0, 3), []);
    ok(new Set(ratios).size > pairs.length / 4);
  },
});
