import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { AUDIT } from "../../audit/_solve_longproc.ts";
import { openTestMaterials } from "../../generators/_materials.ts";
import { LONGPROC } from "@/lib/benchmarks/longproc/longproc.ts";
import { type Sample, userText, writeReply } from "@/lib/generators/mod.ts";
import { type Draw, integer, pick, stream } from "@/lib/random/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const small = await openTestMaterials("r50k_base");

Deno.test("the right reply nearly has the tokens that `output` says, its room an eighth more, and the rest is prompt", () => {
  for (const { name, make } of LONGPROC.families) {
    for (const [output, steps, opened] of [[512, 9, small], [2048, 40, materials], [8192, 160, materials]] as const) {
      const length = 30_000 + output / 512;
      const sample = make({ output }).sample({ length, seed: "1", index: 0, materials: opened });
      const tokens = opened.tokenizer.count(writeReply(sample, sample.references));
      ok(tokens <= output && tokens > output - 80, `${name}: ${tokens} of ${output}`);
      ok(sample.references.length >= steps, `${name}: ${sample.references.length} steps`);
      deepEqual([sample.answerRoom, sample.promptTokens], [output + output / 8, length - output - output / 8]);
      deepEqual(AUDIT.solve(userText(sample.prompt), sample).answers, sample.references);
    }
  }
});

Deno.test("an output outside its range is refused", () => {
  throws(() => LONGPROC.families[0]!.make({ output: 511 }), {
    name: "RangeError",
    message: "Cannot make task path_traversal as output must be a whole number from 512 to 16384: current value is 511",
  });
});

/** Changes of a reply: what models write, and what Python reads in its own way. */
const CHANGES: readonly ((reply: string, draw: Draw) => string)[] = [
  (reply) => reply,
  (reply, draw) => reply.slice(0, Math.floor(draw() * reply.length)),
  (reply) => `First, let me think.\n- I read the text.\n${reply}`,
  (reply) => `${reply}\n\n- That is all.`,
  (reply) => `${reply}\n${reply}`,
  (reply) => reply.toUpperCase(),
  (reply) => reply.replaceAll("Route>", "route>"),
  (reply) => reply.replace("</Route>", ""),
  (reply) => `</Route>${reply}`,
  (reply) => `-\n\n  - \n${reply}`,
  (reply) => reply.replaceAll(/[;:(){}'.]/g, ""),
  (reply) => reply.replaceAll("'", "’").replaceAll("- ", "-- "),
  (reply, draw) => reply.replaceAll("\n", pick(draw, ["\r\n", "\n\n", "\n ", " \n", "\u2028", "\v", "\x1c", "\x85"])),
  (reply, draw) => changeLine(reply, draw, () => []),
  (reply, draw) => changeLine(reply, draw, (line) => [line, line]),
  (reply, draw) => changeLine(reply, draw, (line) => [`\t${line}`]),
  (reply, draw) => changeLine(reply, draw, (line) => [`${line}\u00a0`]),
  (reply, draw) =>
    changeLine(reply, draw, (line) => {
      const words = line.split(" ");
      const word = pick(draw, "the||Step|step_1|éa|a\u0301n|İs|－is|True|location-|None".split("|"));
      return [words.with(integer(draw, { low: 0, high: words.length - 1 }), word).join(" ")];
    }),
];

function changeLine(reply: string, draw: Draw, change: (line: string) => readonly string[]): string {
  const lines = reply.split("\n");
  const at = integer(draw, { low: 0, high: lines.length - 1 });
  return lines.flatMap((line, place) => place === at ? change(line) : [line]).join("\n");
}

/** Returns replies with one to three changes. */
function changeReply(sample: Sample, count: number): readonly string[] {
  const draw = stream("replies", sample.sha256);
  return Array.from({ length: count }, (_, at) => {
    let reply = writeReply(sample, sample.references);
    for (let times = at % 3; times >= 0; times--) reply = pick(draw, CHANGES)(reply, draw);
    return reply;
  });
}

/** Items with the replies to them: ten of each task, 25 of each item. */
const ITEMS = LONGPROC.families.flatMap((family) =>
  Array.from({ length: 10 }, (_, index) => {
    const sample = family.make().sample({ length: 2048, seed: "parity", index, materials });
    return { sample, replies: changeReply(sample, 25), scorer: family.make().scorer };
  })
);

Deno.test("replies score as by the authors' code", () => {
  const scores = ITEMS.map(({ sample, replies, scorer }) =>
    replies.map((reply) => {
      const { score, partial } = scorer.grade(reply, sample);
      return [score, partial!].map(({ value }) => value!.toFixed(6));
    })
  );
  // Recorded from eval_path_traversal and eval_tom_tracking of princeton-pli/LongProc at 78e873a, on the same replies.
  const all = scores.flat();
  const counts = ["1.000000", "0.000000"].map((value) => all.filter((each) => each[1] === value).length);
  deepEqual([all.length, all.filter(([right]) => right === "1.000000").length, ...counts], [500, 132, 170, 144]);
  equal(createHash("sha256").update(JSON.stringify(scores)).digest("hex").slice(0, 16), "efd5dc8b5915b223");
});
