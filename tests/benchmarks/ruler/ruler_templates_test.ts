import { deepEqual, equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { openTestMaterials } from "../../generators/_materials.ts";
import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import { NOISE_LINE } from "@/lib/benchmarks/ruler/wording.ts";
import { type Sample, userText } from "@/lib/generators/mod.ts";
import { CHAT_TEMPLATES, chatTemplate } from "@/lib/models/mod.ts";
import { renderText } from "@/lib/models/chat_templates.ts";

const materials = await openTestMaterials("cl100k_base");

/**
 * The text around a sample's own content in the prompts of RULER's code, for every chat template, as hashes.
 *
 * Recorded from runs of prepare.py with the template's name, three samples a task, at c3f5e3b (2026) and e40fae1 (2024); all
 * three gave one template. A hash is the first ten digits of the SHA-256 of the text that is sent, blanked out by `blankOut()`,
 * with a zero character where the field `answer_prefix` of 2026 begins.
 */
const REFERENCE_TEMPLATES: Readonly<Record<"2026" | "2024", Readonly<Record<string, string>>>> = {
  "2026": {
    "base": "9d6c5de2e0 2d56828cce b0ac3590ba f9a428d0d3 ed5371aceb 3a5b5494cf 002a5c2a6b f43cc23860",
    "meta-chat": "7c972a589c dd241e3d13 5ca6a563cc d1dbf0729e 1afa526bb5 7a3fd5ec2b 5ea11b20a9 89367c3787",
    "vicuna-chat": "46d26f9183 f6fbce3db0 e84fdceb9c 1e120815b2 322d608cde 42dcaf2648 e9c06e5296 0dbca8298d",
    "lwm-chat": "c714820a23 3462d01fd4 9a8bb2537b fab183e2bd 3f586853a1 dadad4b768 081832d8ae 52545e6717",
    "command-r-chat": "6ff51cbd77 ea43959d17 51720e186b c628592c37 4473b0f35d b21d73acfe 2da85e61d2 55bb0ee53f",
    "chatglm-chat": "168d31ee32 ce9f6568b6 067c108b61 721fbe9b3c 2b54b8290d 25f75b784a c6e4d91ebf 0392a3a1d2",
    "Phi3": "38a1c5baae 17dbc7fde7 838a62ce4f a333109608 7560253713 fa2bf48a47 603df35d6c 513e0be76d",
    "meta-llama3": "717642245e 6ff29e9c86 836b3031ae 351fd1d8a6 39015ae298 7a8fccdbb8 295f016a88 9aad95d1d8",
    "RWKV": "e264173670 622b3010ed 03706e0d94 4a7a468886 8005d7ce5c af5c6bee3d 2ff460c206 a847db84aa",
    "jamba": "c3b4d158e7 f72bed27b5 0e6bbbca33 6e48cabdd2 9bec810f66 7543cbce52 6cd6446f34 396d7dda16",
    "nemotron5-instruct": "024ffe5ca1 4db3fe17ee 4c14c2ef46 f7da9bd65f 95844ed7cd a38b6a191c 88bebbf9b1 2a8fc90605",
  },
  "2024": {
    "base": "48cb8415cf 5e1a9bedfc 9c70535400 64895f690c af5bd7203b fcc26a506b 0bfad42dcc 15017066bd",
    "meta-chat": "b5ce380997 e57bf60117 c031f59bbf 71725c31bc 0cb3473f3a 9c1abb2e82 43f75a0210 e07528a494",
    "vicuna-chat": "58b482ae62 d910a6b768 d6ab159a2b edc2e5aa5d 2fe3c75f0d b63e9af3eb 5321b04257 e738f08a95",
    "lwm-chat": "14d1882e92 8c571f000d 0cd62aaadd fa58eb7394 be084decdf ef1e034028 0f9ba8a6f7 79b075ce29",
    "command-r-chat": "8b23e5ec3e 93d9648455 ab4772737c 6d7b00e1d9 577250cd7c 93770555f3 3a355a1523 7b78cc5c31",
    "chatglm-chat": "f37e4a5139 d849ee0c18 7b874affbe e068c0389e f405b431be 7e5b364cf2 6859385055 003153778d",
    "Phi3": "9f002f34e4 015fd8ee5c bf19a30e88 c8cd6355dd e68536d7c1 732240723b b210fdde3e d369a26e05",
    "meta-llama3": "10981f16ec 18d3883da2 23a281e84a b99a819532 7bcdb5c671 646f454be9 88075a11b1 2111d36db4",
    "RWKV": "3d8b767062 7172096851 b0ef382484 0743b9f39b 7107ade6df b72082d9bc 841daf2ace 9e89dbd210",
    "jamba": "7411b60b1d 71c99db43c e793cc9cea 10a56de2c9 77fb07b905 a7a3aa5a46 b1688333b7 ee5715e28e",
  },
};

/** The tasks that each of a template's hashes is for: those in one place have the same words. */
const TEMPLATE_TASKS = [
  ["niah_single_1", "niah_single_2", "niah_multikey_1", "niah_multikey_2"],
  ["niah_single_3", "niah_multikey_3"],
  ["niah_multivalue"],
  ["niah_multiquery"],
  ["vt"],
  ["cwe"],
  ["fwe"],
  ["qa_1", "qa_2"],
] as const;

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
    const ends = userText(sample.prompt).match(/\S\s*Question: Find/g)!.length;
    const quiet = userText(sample.prompt).split(NOISE_LINE).filter((piece) => /^\s*Question: Find/.test(piece)).length;
    if (ends === 2 && quiet === 2) return sample;
  }
}

for (const variant of ["2026", "2024"] as const) {
  for (const [templateName, hashes] of Object.entries(REFERENCE_TEMPLATES[variant])) {
    Deno.test(`rulerTask() ${variant} sends what the reference sends around all tasks in ${templateName}`, () => {
      const sent = TEMPLATE_TASKS.flatMap((tasks, place) =>
        tasks.map((task) => {
          const { prompt } = makeLike(task, variant, templateName);
          const template = chatTemplate(templateName);
          const whole = renderText(prompt, template);
          const prefixAt = whole.length - prompt.answerPrefix!.length;
          equal(whole.slice(prefixAt), prompt.answerPrefix);
          const text = variant === "2024" ? whole : `${whole.slice(0, prefixAt)}\0${prompt.answerPrefix}`;
          const query = userText(prompt).slice(userText(prompt).lastIndexOf("Question: ") + "Question: ".length);
          const blank = blankOut(task, text, query);
          const hash = createHash("sha256").update(blank).digest("hex").slice(0, 10);
          return { task, hash: hash === hashes.split(" ")[place] ? "the reference's" : `${hash} of ${blank}` };
        })
      );
      deepEqual(sent, sent.map(({ task }) => ({ task, hash: "the reference's" })));
    });
  }
}

Deno.test("chatTemplate() has every template of the reference, gpt-4, and two for InternLM", () => {
  const others = ["gpt-4", "internlm-chat", "internlm2-chat"];
  deepEqual([...Object.keys(REFERENCE_TEMPLATES["2026"]), ...others].sort(), [...CHAT_TEMPLATES].sort());
});
