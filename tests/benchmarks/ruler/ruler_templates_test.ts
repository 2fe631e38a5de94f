import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../../generators/_materials.ts";
import { FRAME_TASKS, REFERENCE_TEMPLATES } from "./_reference_templates.ts";
import { COMMON_WORDS, NIAH, rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/mod.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { PLAIN_TEMPLATE, type Sample } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/render.ts";

const materials = await openTestMaterials("cl100k_base");

/** Puts placeholders for what is drawn: needles, lines, words, documents, keys, names and values. */
function blankOut(task: string, text: string, query: string): string {
  if (task.startsWith("niah")) {
    return text.replace(/(quiz you about the \w+ afterwards\.\n)[^]*(\nWhat )/, "$1{context}$2")
      .replace(/(?<= for )[^.?]+?(?= mentioned)/g, (keys) => keys.replace(/[^ ,]+(?=,|$)/g, "{key}"));
  }
  if (task === "vt") {
    return text.replace(/(in the following text\.)(\s*)\S[^]*?\S(\s*)(?=Question: Find)/g, "$1$2{context}$3")
      .replace(/the value \d+/g, "the value {value}")
      .replace(/(?<=they are: {2})[A-Z]+(?: [A-Z]+)+/g, "{names}");
  }
  if (task === "cwe") return text.replace(/1\. \S+(?: \d+\. \S+)*/g, "{list}");
  if (task === "fwe") return text.replace(/(coded words\. )[^]*?(?=\nQuestion:)/, "$1{context}");
  return text.replace(query, "{query}").replace(/(are given documents\.\n\n)[^]*(?=\n\nAnswer the)/, "$1{context}");
}

/** Makes a sample whose lines end with noise, as the reference's always do. */
function makeLike(task: RulerTaskName, variant: "2026" | "2024", templateName: string): Sample {
  for (let index = 0;; index++) {
    const sample = rulerTask(task, { variant })
      .sample({ length: 4096, seed: "frames", index, materials, template: chatTemplate(templateName) });
    if (task !== "vt") return sample;
    const ends = sample.prompt.user.match(/\S\s*Question: Find/g)!.length;
    const quiet = sample.prompt.user.split(NOISE_LINE).filter((piece) => /^\s*Question: Find/.test(piece)).length;
    if (ends === 2 && quiet === 2) return sample;
  }
}

for (const variant of ["2026", "2024"] as const) {
  for (const [templateName, hashes] of Object.entries(REFERENCE_TEMPLATES[variant])) {
    Deno.test(`rulerTask() ${variant} sends what the reference sends round all tasks in ${templateName}`, () => {
      const sent = FRAME_TASKS.flatMap((tasks, place) =>
        tasks.map((task) => {
          const { prompt } = makeLike(task, variant, templateName);
          const template = chatTemplate(templateName);
          const whole = renderText(prompt, template);
          const prefixAt = whole.length - prompt.answerPrefix!.length;
          equal(whole.slice(prefixAt), prompt.answerPrefix);
          const text = variant === "2024" ? whole : `${whole.slice(0, prefixAt)}\0${prompt.answerPrefix}`;
          const query = prompt.user.slice(prompt.user.lastIndexOf("Question: ") + "Question: ".length);
          const blank = blankOut(task, text, query);
          const hash = createHash("sha256").update(blank).digest("hex").slice(0, 10);
          return { task, hash: hash === hashes.split(" ")[place] ? "the reference's" : `${hash} of ${blank}` };
        })
      );
      deepEqual(sent, sent.map(({ task }) => ({ task, hash: "the reference's" })));
    });
  }
}

Deno.test("chatTemplate() has every template of the reference, and gpt-4 beside them", () => {
  deepEqual([...Object.keys(REFERENCE_TEMPLATES["2026"]), "gpt-4"].sort(), [...CHAT_TEMPLATES].sort());
});

Deno.test("NIAH.make() makes LWM's and Vicuna's templates singular with the question, and only where one needle is asked for", () => {
  const openings = (["2026", "2024", "paper"] as const).flatMap((variant) =>
    ["lwm-chat", "vicuna-chat"].flatMap((templateName) =>
      [1, 2].map((values) => {
        const template = chatTemplate(templateName);
        const { prompt } = NIAH.make({ haystack: "noise", values, variant })
          .sample({ length: 1024, seed: "singular", index: 0, materials, template });
        return renderText(prompt, template).match(/You (?:is|are) a|polite answers? to/)![0];
      })
    )
  );
  const changed = ["You is a", "You are a", "polite answer to", "polite answers to"];
  deepEqual(openings, [...changed, ...changed, "You are a", "You are a", "polite answers to", "polite answers to"]);
});

Deno.test("NIAH.make() leaves a template alone that is none of RULER's", () => {
  const template = { ...PLAIN_TEMPLATE, name: "own", before: "You are a helpful assistant.\n" };
  const { prompt } = NIAH.make().sample({ length: 1024, seed: "own", index: 0, materials, template });
  ok(renderText(prompt, template).startsWith("You are a helpful assistant.\nA special magic number is"));
});

Deno.test("COMMON_WORDS.make() puts the chat template round the example as well, in the paper's form once round both", () => {
  const count = (variant: "2026" | "2024" | "paper"): number[] => {
    const template = chatTemplate("meta-chat");
    const { prompt } = COMMON_WORDS.make({ variant }).sample({
      length: 4096,
      seed: "wrapped",
      index: 0,
      materials,
      template,
    });
    const text = renderText(prompt, template);
    return ["[INST] Below is", "list? [/INST] Answer:", "\n[INST] ", "list? Answer:"].map((mark) =>
      text.split(mark).length - 1
    );
  };
  deepEqual([count("2026"), count("2024"), count("paper")], [[2, 2, 1, 0], [2, 2, 1, 0], [1, 1, 0, 1]]);
});

Deno.test("rulerTask() fills every template to the token, counted anew", () => {
  for (const templateName of CHAT_TEMPLATES) {
    const template = chatTemplate(templateName);
    for (const name of FRAME_TASKS.flat()) {
      const task = rulerTask(name, { variant: templateName === "gpt-4" ? "paper" : "2026" });
      for (const length of [task.leastLength(materials, template), 4096]) {
        const { promptTokens, answerRoom, prompt } = task.sample({
          length,
          seed: "full",
          index: 1,
          materials,
          template,
        });
        equal(promptTokens, materials.tokenizer.count(renderText(prompt, template)), `${name} in ${templateName}`);
        ok(promptTokens + answerRoom <= length);
        if (length === 4096) ok(promptTokens + answerRoom >= 0.985 * length, `${name} in ${templateName}`);
      }
    }
  }
});
