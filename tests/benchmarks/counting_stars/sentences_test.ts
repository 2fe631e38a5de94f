import { equal, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { findScorer } from "@/lib/benchmarks/mod.ts";
import { STARS } from "@/lib/benchmarks/counting_stars/stars.ts";
import { type GivenKnobs, userText } from "@/lib/generators/mod.ts";
import { answerAs } from "@/lib/simulated/reader.ts";
import { openProfile } from "@/lib/simulated/profiles.ts";

const materials = await openTestMaterials("cl100k_base");

function prompt(options: GivenKnobs<typeof STARS.knobs>): string {
  return userText(STARS.make({ stars: 3, ...options }).sample({ length: 1024, seed: "w", index: 0, materials }).prompt);
}

const ZH_OPENING = "\n\n\n\n在这个月光皎洁、云雾缭绕的夜晚，小企鹅正望向天空，全神贯注地数★。";
const ZH_ENDING = "仅以JSON格式输出结果，不需要输出任何解释。";
const EN_ENDING = "Only output the results in JSON format without any explanation.";
const ZH_SEARCH =
  `${ZH_OPENING}请帮助小企鹅收集所数★的颗数，按照如下格式：{"小企鹅":[x,x,x,...]}，不要求和，[x,x,x,...]中数字为小企鹅每次数★的颗数，${ZH_ENDING}`;
const EN_SEARCH =
  `\n\n\n\nOn this moonlit and misty night, the little penguin is looking up at the sky and concentrating on counting ★. Please help the little penguin collect the number of ★, for example: {"little_penguin": [x, x, x,...]}. The summation is not required, and the numbers in [x, x, x,...] represent the counted number of ★ by the little penguin. ${EN_ENDING}`;

Deno.test.each(
  [
    ["the third edition's search in Chinese", { language: "zh" }, ZH_SEARCH],
    [
      "the first edition's in Chinese",
      { language: "zh", edition: "v1" },
      `${ZH_OPENING}请帮助小企鹅收集所数★，例如：{"小企鹅":[x,x,x,...]}，不要求和，[x,x,x,...]中数字为小企鹅每次数★的颗数，${ZH_ENDING}`,
    ],
    ["the third edition's search in English", { language: "en" }, EN_SEARCH],
    [
      "the first edition's in English",
      { language: "en", edition: "v1" },
      `\n\n\n\nOn this moonlit and misty night, the little penguin is looking up at the sky, entirely focused on counting ★. Please help the little penguin collect the number of ★, for example: {"little_penguin": [x, x, x,...]}. The summation is not required, and the numbers in [x, x, x,...] represent the counted number of ★ by the little penguin. ${EN_ENDING}`,
    ],
  ] as [string, GivenKnobs<typeof STARS.knobs>, string][],
)("STARS.make() words %s as the reference does", (_name, options, question) => {
  ok(prompt(options).endsWith(question));
});

Deno.test("STARS.make() counts another thing in the reference's words, in both languages", () => {
  ok(prompt({ language: "en", thing: "balloons" }).endsWith(EN_SEARCH.replaceAll("★", "balloons")));
  const chinese = ZH_SEARCH.replaceAll("的颗数", "的只数").replaceAll("★", "气球");
  ok(prompt({ language: "zh", thing: "气球", measure: "只" }).endsWith(chinese));
  ok(/\nThe little penguin counted \d+ balloons\n/.test(prompt({ language: "en", thing: "balloons" })));
  ok(/\n小企鹅数了\d+只气球\n/.test(prompt({ language: "zh", thing: "气球", measure: "只" })));
});

Deno.test("STARS.make() writes a sentence of one's own, and the question quotes it", () => {
  const own = { thing: "balloons", wording: "A child let {count} {thing} go over the roofs." };
  const text = prompt(own);
  ok(/\nA child let \d+ balloons go over the roofs\.\n/.test(text));
  ok(text.includes('counting balloons. The text says it so: "A child let … balloons go over the roofs." Please help'));
});

Deno.test("STARS.make() lets somebody else count: in the sentences, the question and the key of the answer", () => {
  const own = { thing: "black sheep", counter: "old shepherd" };
  const text = prompt({ ...own, sentence: "linked" });
  ok(/\nThe old shepherd counted \d+ black sheep\n/.test(text));
  ok(/\nThe old shepherd found that the last time it had counted/.test(text));
  ok(text.includes("the old shepherd is looking up") && text.includes('"old_shepherd": [x, x, x,...]'));
  ok(!text.includes("penguin"));
  const chinese = prompt({ language: "zh", thing: "绵羊", measure: "只", counter: "牧人", sentence: "miscounted" });
  ok(chinese.includes('"牧人":[x,x,x,...]') && !chinese.includes("企鹅"));
});

Deno.test("the ideal reader answers for whoever counts, and the answer is scored under its key", () => {
  const own = { zh: { thing: "绵羊", measure: "只", counter: "牧人" }, en: { thing: "goats", counter: "shepherd" } };
  for (const language of ["en", "zh"] as const) {
    for (const sentence of ["plain", "corrected", "miscounted", "linked"] as const) {
      const task = STARS.make({ ...own[language], language, sentence, ask: "list_and_sum", stars: 5 });
      const sample = task.sample({ length: 2048, seed: "t", index: 0, materials });
      const { text } = answerAs(openProfile("ideal"), sample);
      ok(text.includes(language === "en" ? '"shepherd"' : '"牧人"'), text);
      equal(task.scorer.name, "stars of others and sum");
      equal(findScorer(task.scorer.name).grade(text, sample).score.value, 1, `${language} ${sentence}: ${text}`);
    }
  }
  const { scorer } = STARS.make({ counter: "shepherd" });
  equal(scorer.grade('{"shepherd": [3, 5]}', { references: ["3", "5"] }).score.value, 1);
  equal(scorer.grade('```json\n{"a": 1, "shepherd": [3, 5]}\n```', { references: ["3", "9"] }).score.value, 0.5);
  equal(scorer.grade("none", { references: ["3", "5"] }).score.value, 0);
});

Deno.test("sentences of the essays that have the thing are passed over, so that sheep can be counted, as the authors say", () => {
  ok(/\bsheep\b/i.test(materials.essaysIn("en").texts.join("\n")));
  ok(materials.essaysIn("zh").texts.join("\n").includes("羊"));
  for (const edition of ["exact", "v1", "v3"] as const) {
    for (const own of [{ language: "en", thing: "sheep" }, { language: "zh", thing: "羊", measure: "只" }] as const) {
      const sample = STARS.make({ ...own, stars: 5, edition })
        .sample({ length: 40_000, seed: "1", index: 0, materials });
      const text = userText(sample.prompt).slice(0, userText(sample.prompt).lastIndexOf("\n\n\n\n"));
      equal(text.split(own.thing).length - 1, 5, `${edition} ${own.thing}`);
    }
  }
});

Deno.test("words in which no count could be found are refused", () => {
  throws(() => prompt({ thing: "area 51s" }), { message: /as thing must be at most 40 characters .* "area 51s"/ });
  throws(() => prompt({ counter: "shepherd [sic]" }), { message: /as counter must be at most 40 characters/ });
  const refused = (own: Parameters<typeof prompt>[0], knob: string): void =>
    throws(() => prompt(own), { message: RegExp(`as ${knob} must be at most`) }, JSON.stringify(own));
  for (const [knob, most] of [["thing", 40], ["counter", 40], ["measure", 10]] as const) {
    ok(prompt({ language: "zh", [knob]: "绵".repeat(most) }));
    for (const words of ["绵".repeat(most + 1), " 绵羊", "绵羊 ", "绵\n羊", "绵。", "绵{"]) {
      refused({ language: "zh", [knob]: words }, knob);
    }
  }
  const wording = (size: number): string => "{count} {thing} ".padEnd(size, "x");
  ok(prompt({ language: "en", wording: wording(200) }));
  for (const words of [wording(201), ` ${wording(50)}`, `${wording(50)}\n`]) refused({ wording: words }, "wording");
  throws(() => prompt({ thing: "balloons", measure: "只" }), { message: /as measure must be left out in English/ });
  throws(() => prompt({ wording: "I saw {count}." }), {
    message: /as wording must contain \{count\} and \{thing\} once each/,
  });
  throws(() => prompt({ wording: "I saw {count} {thing}.", sentence: "linked" }), {
    message: /as sentence must be plain with a wording of your own: current value is "linked"/,
  });
});
