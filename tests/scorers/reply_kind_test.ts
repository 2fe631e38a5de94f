import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { type ReplyKind, replyKind } from "@/lib/scorers/mod.ts";

const CHINESE = "小明最喜欢的实习地点就是上海人工智能实验室。";
const ENGLISH = "Xiao Ming's favorite internship location is the Shanghai Artificial Intelligence Laboratory.";

Deno.test.each(
  [
    ["the answer", CHINESE, CHINESE, "answer"],
    ["the answer after an excuse", `抱歉，我再看一遍：${CHINESE}`, CHINESE, "answer"],
    ["a wrong answer", "小明最喜欢的实习地点就是北京大学。", CHINESE, "answer"],
    ["part of the answer", "Jack", "制作特色菜肴的人叫Jack。", "answer"],
    ["a number", "42", CHINESE, "answer"],
    ["nothing", "", CHINESE, "empty"],
    ["a refusal", "对不起，我无法回答这个问题。", CHINESE, "refusal"],
    ["a refusal in English", "I'm sorry, but I cannot find that in the text.", CHINESE, "refusal"],
    ["an answer in English", "His favourite place was a laboratory in Shanghai.", CHINESE, "other language"],
    ["a Chinese answer to an English question", CHINESE, ENGLISH, "other language"],
    ["an English refusal", "The document does not mention Xiao Ming's internship.", ENGLISH, "refusal"],
    [
      "a Chinese answer that goes round in a name",
      `厨师叫${"Marco ".repeat(20)}。再也没有别人了，真的没有。`,
      "厨师叫Jack。",
      "answer",
    ],
    [
      "an English answer that keeps a Chinese name",
      "The place is called 上海, I think it was.",
      CHINESE,
      "other language",
    ],
    ["a Chinese answer that keeps English names", "这家餐馆叫La Giostra，厨师叫Jack。", "厨师叫Jack。", "answer"],
  ] as [string, string, string, ReplyKind][],
)("replyKind() tells %s", (_name, reply, reference, kind) => {
  equal(replyKind(reply, reference), kind);
});

Deno.test("replyKind() gives one of its kinds for any two texts", () => {
  const text = fc.string({ unit: fc.constantFrom(..."抱歉未提到sorryno .。\n\0🧦𠮷", "\ud800", "\udc00") });
  fc.assert(fc.property(text, text, (reply, reference) => {
    ok(["answer", "empty", "refusal", "other language"].includes(replyKind(reply, reference)));
  }));
});

Deno.test.each(
  [
    // Refusals of ten characters, of which some differ from the reference.
    ["eight of ten characters right", "我不知道谁是那个厨师", "他不知道谁是这个厨师", "answer"],
    ["seven of ten characters right", "我不知道谁是那个厨师", "他不知道谁是这个主厨", "refusal"],
    ["as many words as twice the Chinese characters", "厨师 is the word here", "厨师叫他", "answer"],
    ["one word more than that", "厨师 is the word here now", "厨师叫他", "other language"],
  ] as [string, string, string, ReplyKind][],
)("replyKind() at the ends of its ranges: %s", (_name, reply, reference, kind) => {
  equal(replyKind(reply, reference), kind);
});
