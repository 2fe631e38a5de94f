import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { readClauses } from "@/lib/benchmarks/prompt_dependence/reply_clauses.ts";
import { stemWords } from "@/lib/benchmarks/prompt_dependence/wanted_words.ts";

function isWanted(stem: string): boolean {
  return stem === "patent";
}

Deno.test.each(
  [
    ["It received a patent.", ["said"]],
    ["It did not receive a patent.", ["negated"]],
    ["It did not fail to receive a patent.", ["said"]],
    ["It was denied a patent.", ["negated"]],
    ["It was never denied a patent.", ["said"]],
    ["Not a loan but a patent.", ["negated", "said"]],
    ["A loan instead of a patent.", ["said", "negated"]],
    ["It got no loan, prize, or patent.", ["negated", "negated", "negated"]],
    ["Not a loan, a patent.", ["negated", "said"]],
    ["Nothing beats a patent.", ["said"]],
    ["Nothing but a patent.", ["said"]],
    ["Anything but a patent.", ["negated"]],
    ["Everything except a patent.", ["said", "negated"]],
    ["It did not start without a patent.", ["negated", "said"]],
    ["The text does not mention a patent.", ["declined"]],
    ["I cannot tell.", ["declined"]],
    ["The text does not mention other patents.", ["aside"]],
    ["It mentions nothing other than a patent.", ["said"]],
    ["", []],
  ] as [string, string[]][],
)("readClauses() %s", (reply, stances) => {
  deepEqual(readClauses(reply, isWanted).map(({ stance }) => stance), stances);
});

Deno.test("readClauses() gives what a quotation says its own stance, and that of the clause round it", () => {
  const stanceOf = (reply: string): string | undefined =>
    readClauses(reply, isWanted).find(({ stems }) => stems.includes("patent"))?.stance;
  equal(stanceOf('It says "they received a patent in May".'), "said");
  equal(stanceOf("It says 'they didn't receive a patent'."), "negated");
  equal(stanceOf('The sentence "they received a patent in May" is false.'), "negated");
  equal(stanceOf('The text does not say "they received a patent in May".'), "declined");
  deepEqual(readClauses('The "patent" there', isWanted).map(({ voice }) => voice), ["own"]);
});

Deno.test("readClauses() tells voice, doubt and what takes back what was said", () => {
  const last = (reply: string) => readClauses(reply, isWanted).at(-1)!;
  equal(last("It discusses a patent.").voice, "topic");
  equal(last("It mentions a patent.").voice, "mentioned");
  equal(last("The author suggests a patent.").voice, "suggests");
  ok(last("Perhaps a patent.").isDoubted && last("A patent?").isDoubted && !last("A patent.").isDoubted);
  ok(last("A patent. That is not true.").takesBack && last("A patent? No, a loan.").takesBack === false);
  ok(!last("A patent. That is not the only one.").takesBack);
  ok(last("I cannot say for sure.").isSoft && !last("I cannot say.").isSoft);
});

Deno.test("readClauses() keeps every word outside of quotation marks, in its order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("no", "but", "and", "it", "a patent", ",", ".", "denied", "?", "-")),
      (parts) => {
        const reply = parts.join(" ");
        deepEqual(readClauses(reply, isWanted).flatMap(({ stems }) => [...stems]), stemWords(reply));
      },
    ),
  );
});
