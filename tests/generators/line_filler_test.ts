import { equal, ok, throws } from "node:assert/strict";
import { cases } from "../_cases.ts";
import { openTestMaterials } from "./_materials.ts";
import { integer, pick, stream } from "@/lib/random/mod.ts";
import {
  breakAt,
  countPrompt,
  family,
  fillBy,
  lineFiller,
  type Part,
  PLAIN_TEMPLATE,
  plantFacts,
  type Recipe,
  type Task,
} from "@/lib/generators/mod.ts";
import { allFound } from "@/lib/scorers/mod.ts";
import { EMPTY, ENCODING_NAMES, measure } from "@/lib/text/mod.ts";

type DrawLine = (number: () => number, word: () => string) => string;

/** A task about lines of a form, which hides one more of them. */
function taskOfLines(write: DrawLine): Task {
  return family({
    ...{ suite: "lines-1", name: "lines", about: "asks for a line", category: "retrieval", knobs: {}, tasks: {} },
    ...{ scorers: [allFound], answerRoom: 16 },
    recipe(_settings, { seed, index, materials: { tokenizer, words } }): Recipe {
      const draw = stream(seed, "lines", index);
      const line = (): string => {
        return write(() => Math.floor(10 ** (1 + 6 * draw())), () => pick(draw, words.nouns));
      };
      const measured = (text: string): Part => ({ measured: measure(text, tokenizer) });
      const target = { role: "target", key: "1", value: String(integer(draw, { low: 10, high: 99 })) } as const;
      const text = `key;${target.value}`;
      const filler = lineFiller({ draw: () => measured(`${line()}\n`), tokenizer, passes: 8 });
      const fill = fillBy(filler, (size, by) => {
        const part = (isFirst: boolean): Part => ({ measured: by.needle(text, isFirst), fact: { ...target, text } });
        const at = breakAt(0.3, { filler: by, size, tokenizer });
        const context = plantFacts([{ at, part }], { filler: by, size });
        return { before: [measured("Read.\n")], context, after: [measured("Which key?")] };
      });
      return { ...fill, answerPrefix: "", references: () => [target.value] };
    },
  }).make();
}

const FORMS: Readonly<Record<string, DrawLine>> = {
  "CSV": (number, word) => `${number()},${word()},${number()},"${word()}"`,
  "JSON lines": (number, word) => JSON.stringify({ id: number(), name: word(), tags: [word(), number()] }),
  "a log of numbers": (number) => `[${number().toString(16)}]\t0x${number().toString(16)}:${number()}`,
  "code": (number, word) => {
    return number() % 9 === 0 ? "" : `${" ".repeat(number() % 9)}${word()}[${number()}]+=${word()}();//${number()}`;
  },
  "a list of words": (number, word) => number() % 2 === 0 ? word() : word() + word(),
};

Deno.test.each(Object.entries(FORMS))(
  "lineFiller() fills a prompt with %s to the token, or at times a few short, in every encoding",
  async (_name, write) => {
    for (const name of ENCODING_NAMES) {
      const materials = await openTestMaterials(name);
      const task = taskOfLines(write);
      // At times no line that is drawn closes the gap, which is then smaller than a line.
      const gaps: number[] = [];
      for (const [length, samples] of [[400, cases(3, 60)], [4096, 1]] as const) {
        for (let index = 0; index < samples; index++) {
          const sample = task.sample({ length, seed: "1", index, materials });
          equal(sample.promptTokens, countPrompt(sample.prompt, PLAIN_TEMPLATE, materials.tokenizer), name);
          gaps.push(length - sample.promptTokens - sample.answerRoom);
          const { depth, tokenOffset } = sample.facts[0]!;
          ok(Math.abs(depth! - 0.3) < 0.05 && tokenOffset! > 0.2 * sample.promptTokens, `${depth}`);
        }
      }
      ok(gaps.every((gap) => gap >= 0 && gap < 40), `${name}: ${gaps}`);
      ok(gaps.filter((gap) => gap > 0).length <= 0.25 * gaps.length, `${name}: ${gaps}`);
    }
  },
);

Deno.test("lineFiller() refuses what is no line", async () => {
  const { tokenizer } = await openTestMaterials("cl100k_base");
  for (const drawn of ["a line\n", undefined, { measured: EMPTY }, { measured: "a line\n" }]) {
    const filler = lineFiller({ draw: () => drawn as Part, tokenizer });
    throws(() => filler.run(0, 1), /^TypeError: Cannot fill with lines as draw\(\) must return \{ measured: measure\(/);
  }
});
