import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { hasThinkingMarks, splitThinking } from "@/lib/models/protocols/thinking.ts";

const FINAL = "<|channel|>final<|message|>";

/** Marks of one block of thinking, with what follows it in the answer. */
const BLOCKS: readonly (readonly [family: string, open: string, close: string, end?: string])[] = [
  ["DeepSeek-R1, Qwen3", "<think>\n", "\n</think>\n\n"],
  ["an escaped page", "&lt;think&gt;\n", "\n&lt;/think&gt;\n\n"],
  ["upper case", "<THINK>", "</THINK>"],
  ["spaces", "< think >", "</ think >"],
  ["a monologue", "<inner_monologue>", "</inner_monologue>"],
  ["attributes", '<think lang="en">', "</think>"],
  ["Nova", "<thinking>", "</thinking> "],
  ["EXAONE Deep, Gemini", "<thought>", "</thought>"],
  ["Seed-OSS", "<seed:think>", "</seed:think>"],
  ["MiniMax", "<mm:think>", "</mm:think>"],
  ["Reka", "<reasoning>", "</reasoning>"],
  ["Claude 3", "<antThinking>", "</antThinking>"],
  ["scratchpads", "<scratchpad>", "</scratchpad>"],
  ["a name of words", "<reflection>", "</reflection>"],
  ["Magistral", "[THINK]", "[/THINK]"],
  ["Kimi", "◁think▷", "◁/think▷"],
  ["Command A Reasoning", "<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>", "<|END_RESPONSE|>"],
  ["Command A Reasoning without an end", "<|START_THINKING|>", "<|START_RESPONSE|>"],
  ["OpenThinker", "<|begin_of_thought|>", "<|end_of_thought|>\n<|begin_of_solution|>", "<|end_of_solution|>"],
  ["tokens", "<|thinking|>", "<|/thinking|>"],
  ["tokens of a start and an end", "<|think_start|>", "<|think_end|>"],
  ["LongCat", "<longcat_think>", "</longcat_think>"],
  ["words after a name", "<thinking_process>", "</thinking_process>"],
  ["Solar", "<|think|>", "<|end|><|begin|>assistant<|content|>", "<|end|>"],
  ["gpt-oss", "<|channel|>analysis<|message|>", `<|end|><|start|>assistant${FINAL}`, "<|return|>"],
  [
    "gpt-oss in a tool's channel",
    "<|channel|>commentary to=functions.a <|constrain|>json<|message|>",
    `<|call|>${FINAL}`,
  ],
  ["gpt-oss without its tokens", "analysis", "assistantfinal"],
  ["Gemma 4", "<|channel>thought\n", "<channel|>"],
  ["MedGemma", "<unused94>thought\n", "<unused95>"],
  ["Apertus", "<|inner_prefix|>", "<|inner_suffix|>"],
  ["s1", "<|im_start|>think\n", "<|im_start|>answer\n"],
  ["HyperCLOVA X", "<|im_start|>assistant/think\n", "<|im_end|>\n<|im_start|>assistant\n", "<|im_end|>"],
  ["openPangu", "[unused16]", "[unused17]"],
  ["PLaMo", "<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"],
  ["a block of code", "```thinking\n", "\n```\n"],
  ["Granite 3.2", "Here is my thought process:\n", "\nHere is my response:\n"],
  ["Granite 3.2, in short", "Here's my thought process: ", "Here's my response: "],
  ["Ollama's terminal", "Thinking...\n", "\n...done thinking.\n\n"],
  ["Open WebUI", '<details type="reasoning" done="true">\n', "\n</details>\n"],
  ["Hunyuan", "<think>\n", "\n</think>\n<answer>\n", "\n</answer>"],
  ["ERNIE", "<think>\n", "\n</think>\n\n<response>\n", "\n</response>\n"],
];

Deno.test.each(
  BLOCKS.map(([name, open, close, end = ""]): [string, string, string, string] => [name, open, close, end]),
)(
  "splitThinking() takes out the thinking of %s",
  (_name, open, close, end) => {
    const { text, thinking } = splitThinking(`${open}Several: 17 is one.${close}I see none.${end}`);
    deepEqual([text, thinking], ["I see none.", "Several: 17 is one."]);
  },
);

/** Families whose blocks can follow one another, and whose opening mark a template can write. */
const REPEATED = BLOCKS.filter(([, open, , end]) =>
  end === undefined && !/^analysis|^Here|^Thinking|^<details|^<reflection|^```/.test(open)
);

Deno.test.each(REPEATED.map((block) => [...block]) as [string, string, string][])(
  "splitThinking() takes out the thinking of %s twice, without its opening mark, and without its end",
  (_name, open, close) => {
    const twice = splitThinking(`${open}Look.${close}\n${open}It is 17.${close}I see none.`);
    deepEqual([twice.text, twice.thinking], ["I see none.", "Look.\nIt is 17."]);
    const unopened = splitThinking(`Look: 17.${close}I see none.`);
    deepEqual([unopened.text, unopened.thinking, unopened.isUnopened], ["I see none.", "Look: 17.", true]);
    const unclosed = splitThinking(`${open}Look: 17`);
    deepEqual([unclosed.text, unclosed.thinking], ["", "Look: 17"]);
  },
);

Deno.test.each([
  ["an escaped mark in a sentence", "The tag &lt;think&gt; is 17."],
  ["a mark in a sentence", "The tag <think> is 17."],
  ["both in a sentence", "Put <think> before and </think> after 17."],
  ["a closing mark in a sentence", "The tag </think> is 17."],
  ["marks in quotation marks", 'Write "<think>" and "</think>" around 17.'],
  ["marks in code", "`<think>` and `</think>` are around 17"],
  ["a common word that has no end", "<analysis> 17"],
  ["a common word around all of it", "<analysis>It is 17.</analysis>"],
  ["a block that is never closed after the answer", "It is 17.\n<think>"],
  ["markup", "<b>17</b> [1] <answer>17</answer>"],
  ["a chat that is repeated", "<|im_start|>user\n17?<|im_end|>\n<|im_start|>assistant\nI see 17."],
  ["an answer of analysis", "Analysis of it: 17. Here is my response: 17"],
  ["nothing", ""],
])("splitThinking() leaves %s", (_name, text) => {
  deepEqual(splitThinking(text), { text });
});

Deno.test.each([
  ["an empty block", "<think>\n\n</think>\n\n17", {}, "17", ""],
  ["a second closing mark", "<think>Look.</think>\n\n</think>\n\n17", {}, "17", "Look."],
  ["a closing mark with the wrong slash", "<think>Look.<\\think>17", {}, "17", "Look."],
  ["tokens that end a message", "<think>Look.</think>17<|im_end|>", {}, "17", "Look."],
  ["a closing mark after the answer", "<think>Look.</think>17</think>", {}, "17", "Look."],
  ["words before a block", "Sure. <think>Look: 18.</think>17", {}, "Sure. 17", "Look: 18."],
  ["a block in a sentence", "Sure, <think>Look: 18.</think>17", {}, "Sure, 17", "Look: 18."],
  ["a block that a reply was cut in", "17.\n<think>Look", { isCut: true }, "17.\n", "Look"],
  ["a header that a reply was cut in", "<|channel|>analysis<|message|>Look.<|end|><|start|>assistant", {}, "", "Look."],
  ["a last channel alone", `${FINAL}17<|return|>`, {}, "17", undefined],
  ["an answer's own tokens", "<|START_RESPONSE|>17<|END_RESPONSE|>", {}, "17", undefined],
  ["the user's marks", "<plan>Look.</plan>17", { marks: [["<plan>", "</plan>"]] }, "17", "Look."],
  ["the user's words", "PLAN: look. ANSWER: 17", { marks: [["PLAN:", "ANSWER:"]] }, "17", "look."],
  ["a cut reply of a template that opens", "I see 17", { isCut: true, opensThinking: true }, "", "I see 17"],
  ["a cut reply that weighs", "Okay, I see 17 here. But is it", { isCut: true }, "", "Okay, I see 17 here. But is it"],
  [
    "a cut reply that lists",
    "Okay, the words are: 1. one 2. t",
    { isCut: true },
    "Okay, the words are: 1. one 2. t",
    undefined,
  ],
  ["a cut reply that stops itself", "It is 17. Wait, there", { isCut: true }, "", "It is 17. Wait, there"],
  ["a cut reply on its user", "The user asks for a number", { isCut: true }, "", "The user asks for a number"],
  [
    "a cut reply that doubts",
    "First, it is 17. I am not sure which",
    { isCut: true },
    "First, it is 17. I am not sure which",
    undefined,
  ],
  [
    "a cut reply that hedges",
    "We have 17, perhaps more, so",
    { isCut: true },
    "We have 17, perhaps more, so",
    undefined,
  ],
  ["a cut reply that asks", "Okay: 17. Is it that one", { isCut: true }, "Okay: 17. Is it that one", undefined],
  ["a whole reply that weighs", "Hmm, maybe it is 17.", {}, "Hmm, maybe it is 17.", undefined],
] as [string, string, Parameters<typeof splitThinking>[1], string, string | undefined][])(
  "splitThinking() reads %s",
  (_name, written, options, text, thinking) => {
    const split = splitThinking(written, options);
    deepEqual([split.text, split.thinking], [text, thinking]);
  },
);

Deno.test("splitThinking() keeps every word of a text, and takes nothing out of one without marks", () => {
  const piece = fc.constantFrom(...BLOCKS.flatMap(([, open, close]) => [open, close]), "one", " two. ", "\n", '"');
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isCut) => {
    const written = pieces.join("");
    const { text, thinking = "" } = splitThinking(written, { isCut });
    const count = (part: string, word: string): number => part.split(word).length - 1;
    for (const word of ["one", "two"]) equal(count(text + thinking, word), count(written, word), written);
  }));
  fc.assert(fc.property(fc.string(), (written) => {
    fc.pre(!hasThinkingMarks(written));
    equal(splitThinking(written).text.length, written.length);
  }));
});

Deno.test.each([
  ["opening marks", "<think>"],
  ["closing marks", "</think>"],
  ["pairs", "<think>a</think>"],
  ["marks that never close", "<analysis>"],
  ["mentions", "a <think> b "],
  ["headers", "<|start|>assistant<|channel|>"],
  ["empty lines", "\n"],
  ["sentences without words", ". "],
])("splitThinking() reads a mebibyte of %s in time", (_name, mark) => {
  const start = performance.now();
  splitThinking(mark.repeat(2 ** 20 / mark.length), { isCut: true });
  ok(performance.now() - start < 2000);
});

Deno.test("hasThinkingMarks() finds known marks anywhere and unknown ones at the beginning", () => {
  for (const text of ["a </think> b", "<plan>17", "<|plan|>17", "[PLAN] 17"]) ok(hasThinkingMarks(text), text);
  for (const text of ["17", "<b>17</b>", "a <plan> b", "[1] 17", ""]) ok(!hasThinkingMarks(text), text);
});

Deno.test("splitThinking() reads 200,000 pieces of thinking", () => {
  const marks = `${"b<think>a</think>\n".repeat(200_000)}</think>17`;
  equal(splitThinking(marks).text.trim(), "17");
});
