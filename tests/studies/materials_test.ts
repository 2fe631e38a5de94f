import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict";
import { withFolder } from "../asking/_fakes.ts";
import { openMaterials } from "@/lib/studies/mod.ts";

async function writeTexts(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await Deno.mkdir(`${folder}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
}

Deno.test("openMaterials() opens what comes with Fathom", async () => {
  const materials = await openMaterials();
  deepEqual(materials.names, {
    tokenizer: "cl100k_base",
    essays: "essays_en",
    oneHop: "world_one_hop",
    twoHop: "world_two_hop",
  });
  // data/words/README.md states the counts of the lists.
  const { adjectives, nouns, vocabulary } = materials.words;
  deepEqual([adjectives.length, nouns.length, vocabulary.length], [836, 908, 152_306]);
  equal(materials.documents.twoHop.name, "world_two_hop");
  match(materials.essays.run(0, 1).text, /^ \S/);
});

Deno.test("openMaterials() takes .txt files from a folder and its folders, in the order of their names", async () => {
  await withFolder(async (folder) => {
    await writeTexts(folder, {
      "b.txt": "Second comes the river here.",
      "a/z.txt": "First comes the hill there.",
      "c.TXT": "Third comes the sea far off.",
      "notes.md": "Not a text at all.",
    });
    const { essays } = await openMaterials({ essays: folder });
    equal(essays.size, 3);
    equal(
      essays.run(0, 3).text,
      " First comes the hill there. Second comes the river here. Third comes the sea far off.",
    );
  });
});

Deno.test("openMaterials() names a folder's essays by the folder and the texts", async () => {
  await withFolder(async (folder) => {
    await writeTexts(folder, {
      "mine/a.txt": "One text of some words.",
      "other/mine/b.txt": "One text of some words.",
    });
    const first = await openMaterials({ essays: `${folder}/mine` });
    match(first.names.essays, /^mine-[0-9a-f]{8}$/);
    equal(first.essays.name, first.names.essays);
    equal((await openMaterials({ essays: `${folder}/other/mine/` })).names.essays, first.names.essays);
    await writeTexts(folder, { "mine/a.txt": "One text of other words." });
    notEqual((await openMaterials({ essays: `${folder}/mine` })).names.essays, first.names.essays);
  });
});

Deno.test("openMaterials() takes a text from each line of a .jsonl file, as OpenCompass's CDME has them", async () => {
  await withFolder(async (folder) => {
    const lines = ["下雪了，街上没有人。", "灯还亮着，屋里很暖和。"].map((text) => JSON.stringify({ url: "x", text }));
    await writeTexts(folder, {
      "zh_snow.jsonl": `\ufeff${lines.join("\r\n")}\n\n`,
      "b/a.txt": "河水很凉，没有人下去。",
    });
    const materials = await openMaterials({ essays: `${folder}/zh_snow.jsonl` });
    match(materials.names.essays, /^zh_snow-[0-9a-f]{8}$/);
    deepEqual(materials.essays.texts, ["下雪了，街上没有人。", "灯还亮着，屋里很暖和。"]);
    const all = await openMaterials({ essays: folder });
    deepEqual(all.essays.texts, ["河水很凉，没有人下去。", "下雪了，街上没有人。", "灯还亮着，屋里很暖和。"]);
  });
});

Deno.test("openMaterials() names the line of a .jsonl file that has no text", async () => {
  await withFolder(async (folder) => {
    for (const line of ["{", "7", "null", '{"text": 7}']) {
      await writeTexts(folder, { "a.jsonl": `{"text": "One text of some words."}\n${line}\n` });
      await rejects(openMaterials({ essays: `${folder}/a.jsonl` }), {
        name: "SyntaxError",
        message:
          `Cannot read the essays as line 2 of "${folder}/a.jsonl" must be a JSON object with a text: current value is ${line}`,
      });
    }
  });
});

Deno.test("essaysIn() gives the essays that come with Fathom by language, and the user's own for both", async () => {
  const embedded = await openMaterials({ essays: "essays_en" });
  equal(embedded.essaysIn("zh").name, "essays_zh");
  equal(embedded.essaysIn("en"), embedded.essays);
  await withFolder(async (folder) => {
    await writeTexts(folder, { "a.txt": "One text of some words." });
    const own = await openMaterials({ essays: folder });
    equal(own.essaysIn("zh"), own.essays);
  });
});

Deno.test("openMaterials() explains what is wrong with a folder of essays", async () => {
  await withFolder(async (folder) => {
    const wanted =
      "Cannot read the essays as they must be essays_en, essays_zh, a readable .txt or .jsonl file or a folder of them";
    const refuses = async (essays: string, reason: string): Promise<void> =>
      await rejects(openMaterials({ essays }), {
        name: "RangeError",
        message: `${wanted}: current value is "${essays}" (${reason})`,
      });
    await refuses("essays_fr", "there is nothing of that name");
    await refuses("constructor", "there is nothing of that name");
    await refuses(folder, "there is no .txt or .jsonl file in it");
    await writeTexts(folder, { "a.txt": " \n", "file": "" });
    await refuses(folder, "there is nothing but white space in it");
    await refuses(`${folder}/file`, "it is not a folder");
    await Deno.writeFile(`${folder}/a.txt`, new Uint8Array([0xff, 0xfe, 0x41, 0x00]));
    await rejects(openMaterials({ essays: folder }), {
      name: "SyntaxError",
      message: `Cannot read the essays as every file must be UTF-8 text: current value is "${folder}/a.txt"`,
    });
  });
});

Deno.test("openMaterials() opens a model's tokenizer.json by its path or its folder, named for both", async () => {
  await withFolder(async (folder) => {
    const parts = {
      "added_tokens": [],
      normalizer: null,
      "pre_tokenizer": null,
      "post_processor": null,
      decoder: null,
    };
    const vocab = { a: 0, b: 1 };
    const model = { type: "BPE", "unk_token": "a", vocab, merges: [] };
    await writeTexts(folder, { "Tiny Model/tokenizer.json": JSON.stringify({ version: "1.0", ...parts, model }) });
    const byFolder = await openMaterials({ tokenizer: `${folder}/Tiny Model` });
    match(byFolder.names.tokenizer, /^Tiny-Model-[0-9a-f]{8}$/);
    equal(byFolder.tokenizer.name, byFolder.names.tokenizer);
    const byFile = await openMaterials({ tokenizer: `${folder}/Tiny Model/tokenizer.json` });
    equal(byFile.names.tokenizer, byFolder.names.tokenizer);
  });
});

Deno.test("openMaterials() explains what is wrong with a tokenizer", async () => {
  await withFolder(async (folder) => {
    await rejects(openMaterials({ tokenizer: "gpt-oh" }), {
      name: "RangeError",
      message:
        "Cannot open the tokenizer as it must be one of o200k_base, cl100k_base, p50k_base, r50k_base, a model of OpenAI's such as gpt-4, or the path of a model's tokenizer.json, tekken.json, tiktoken.model or .gguf file: current value is \"gpt-oh\" (there is nothing of that name)",
    });
    await writeTexts(folder, { "tokenizer.json": "{" });
    await rejects(openMaterials({ tokenizer: folder }), {
      name: "SyntaxError",
      message: /as the file must contain JSON: .* \.gguf file of the same model, or "server"$/,
    });
  });
});

Deno.test("openMaterials() reads documents from the user's files, named for the file and what is in it", async () => {
  await withFolder(async (folder) => {
    const qas = [{ question: "What is green?", answers: [{ text: "grass" }] }];
    const squad = { data: [{ title: "t", paragraphs: [{ context: "Grass is green.", qas }] }] };
    await writeTexts(folder, { "dev.json": JSON.stringify(squad), "not.json": "[]" });
    const { documents, names } = await openMaterials({ squad: `${folder}/dev.json` });
    match(names.oneHop, /^dev-[0-9a-f]{8}$/);
    equal(documents.oneHop.name, names.oneHop);
    equal(documents.oneHop.question(0).question, "What is green?");
    equal(names.twoHop, "world_two_hop");
    await rejects(openMaterials({ hotpotqa: `${folder}/none.json` }), {
      name: "RangeError",
      message:
        `Cannot read the documents as they must be a JSON file: current value is "${folder}/none.json" (there is nothing of that name)`,
    });
    await rejects(openMaterials({ squad: `${folder}/not.json` }), { name: "SyntaxError" });
  });
});
