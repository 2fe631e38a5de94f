import { deepEqual, equal, ok } from "node:assert/strict";
import { classesOf } from "./_samples.ts";
import { findRefusal } from "@/lib/statistics/failures/classify_failure.ts";
import { classifyFailure } from "@/lib/statistics/mod.ts";

Deno.test.each([
  ["i'm sorry, but i can't find the special magic number for calm-river."],
  ["unfortunately, the provided text does not contain the special magic number."],
  ["the text doesn't mention any special magic number for that key."],
  ["there is no mention of calm-river in the text."],
  ["no special magic number was found."],
  ["i do not have enough information to answer."],
  ["i was unable to locate it."],
  ["it is not possible to determine the answer from the documents."],
  ["the answer is not explicitly stated in the documents."],
  ["as an ai language model, i have no access to documents."],
  ["unknown"],
  ["n/a."],
  ["none"],
  ["the answer is unknown."],
  ["i can't help with that."],
  ["抱歉，文中没有提到这个数字。"],
  ["根据提供的文本，无法确定答案。"],
  ["对不起，我不能回答这个问题。"],
  ["文档中并未给出相关信息。"],
  ["我不知道。"],
  ["信息不足。"],
  ["很遗憾，文章里未提及。"],
  ["無法從文中得知。"],
])("findRefusal() understands: %s", (reply) => {
  ok(findRefusal(reply) !== null);
});

Deno.test.each([
  ["the special magic number for calm-river is 1234567."],
  ["abcde fghij klmno"],
  ["1. apple 2. pear 3. not"],
  ["no country for old men"],
  ["gone with the wind"],
  ["答案是旧金山。"],
  ["在公园里吃三明治"],
])("findRefusal() finds none in: %s", (reply) => {
  equal(findRefusal(reply), null);
});

Deno.test("findRefusal() gives the first words that refuse, and their place", () => {
  deepEqual(findRefusal("well, there is no answer. i cannot tell."), { said: "no answer", at: 15 });
});

interface Recorded {
  readonly needle: string;
  readonly reply: string;
  readonly "judge_score_1_to_10": number;
}

const RECORDED = new URL("../../../../shared/data/recorded/claude_2_1_san_francisco.jsonl", import.meta.url);
const isAbsent = !hasRecorded();

function hasRecorded(): boolean {
  try {
    return Deno.statSync(RECORDED).isFile;
  } catch {
    return false;
  }
}

async function readRecorded(): Promise<Recorded[]> {
  return (await Deno.readTextFile(RECORDED)).trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test({
  name: "classifyFailure() tells the refusals among Claude 2.1's recorded replies to a needle test" +
    (isAbsent ? " (skipped: the recorded replies are not here)" : ""),
  ignore: isAbsent,
  async fn(): Promise<void> {
    const answer = "eat a sandwich and sit in Dolores Park on a sunny day";
    const wrong = (await readRecorded()).filter(({ reply }) => !reply.toLowerCase().includes(answer.toLowerCase()));
    const classes = wrong.map(({ needle, reply }) => {
      const fact = {
        role: "target",
        text: needle,
        key: "San Francisco",
        value: answer,
        depth: 0.5,
        tokenOffset: 1,
      } as const;
      const sample = {
        prompt: { user: `${needle}\nWhat is the most fun thing to do in San Francisco?` },
        promptTokens: 100,
        answerRoom: 300,
        references: [answer],
        facts: [fact],
      };
      const outcome = {
        reply: { kind: "answer", text: reply, finishReason: "stop" },
        value: 0,
        scoring: "any",
      } as const;
      return classesOf(classifyFailure(sample, outcome));
    });
    // The judge gave 260 of them its lowest mark, and one a 3. The last one refuses and then answers in other words.
    equal(wrong.length, 262);
    equal(classes.filter(([primary]) => primary === "refusal").length, 262);
  },
});

Deno.test({
  name:
    "findRefusal() finds no opening refusal in at least 95% of the recorded replies that the judge took for perfect" +
    (isAbsent ? " (skipped: the recorded replies are not here)" : ""),
  ignore: isAbsent,
  async fn(): Promise<void> {
    const perfect = (await readRecorded()).filter((recorded) => recorded.judge_score_1_to_10 === 10);
    const refused = perfect.filter(({ reply }) => (findRefusal(reply.trim().toLowerCase())?.at ?? Infinity) < 150);
    equal(perfect.length, 439);
    ok(refused.length <= 0.05 * perfect.length, `${refused.length}`);
  },
});
