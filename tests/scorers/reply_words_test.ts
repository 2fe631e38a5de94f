import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { findRefusal } from "@/lib/scorers/mod.ts";

Deno.test.each(
  [
    ["the answer", "小明最喜欢的实习地点就是上海人工智能实验室。", false],
    ["a wrong answer", "小明最喜欢的实习地点就是北京大学。", false],
    ["part of the answer", "Jack", false],
    ["a number", "42", false],
    ["nothing", "", false],
    ["a refusal", "对不起，我无法回答这个问题。", true],
    ["a refusal in English", "I'm sorry, but I cannot find that in the text.", true],
    ["a denial in English", "The document does not mention Xiao Ming's internship.", true],
    ["an answer in English", "His favourite place was a laboratory in Shanghai.", false],
    ["an excuse before the answer", "抱歉，我再看一遍：地点就是上海。", true],
    ["a cook who is unknown", "我不知道谁是那个厨师", true],
  ] as [string, string, boolean][],
)("findRefusal() of %s", (_name, reply, isFound) => {
  equal(findRefusal(reply) !== null, isFound);
});

Deno.test("findRefusal() finds words of the text, at their place", () => {
  const text = fc.string({ unit: fc.constantFrom(..."抱歉未提到sorryno .。\n\0🧦𠮷", "\ud800", "\udc00") });
  fc.assert(fc.property(text, (reply) => {
    const found = findRefusal(reply);
    ok(found === null || reply.startsWith(found.text, found.at));
  }));
});
