import { Tokenizer as Library } from "@huggingface/tokenizers";
import { equal, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";
import { joinPrompt } from "@/lib/models/mod.ts";
import { checkStudy, openStudy } from "@/lib/studies/mod.ts";

/** Folders named below, each with the tokenizer.json of such a model; CONTRIBUTING.md says where to get them. */
const FOLDER = Deno.env.get("FATHOM_TOKENIZERS") ?? ".tokenizers";

/** SentencePiece with a mark before a text, byte pairs of two kinds, SentencePiece without one. */
const KINDS = ["llama2", "llama3", "qwen3", "gemma3"];

for (const kind of KINDS) {
  const isAbsent = !existsSync(`${FOLDER}/${kind}/tokenizer.json`);
  Deno.test({
    name: `every task fills its length in ${kind}'s tokens, counted again by another library${
      isAbsent ? " (skipped: no tokenizer.json of that kind in FATHOM_TOKENIZERS)" : ""
    }`,
    ignore: isAbsent,
    fn: () => checkKind(`${FOLDER}/${kind}`),
  });
}

async function checkKind(folder: string): Promise<void> {
  const library = new Library(JSON.parse(await Deno.readTextFile(`${folder}/tokenizer.json`)), {});
  const seed = `real tokenizers ${Deno.env.get("FATHOM_SEED") ?? 42}`;
  const names = BENCHMARKS.map(({ name }) => name);
  const { tasks, materials } = await openStudy(checkStudy({ tasks: names, seed, tokenizer: folder }));
  for (const task of tasks) {
    const length = Math.max(1500, task.leastLength(materials) + 40);
    const sample = task.sample({ length, seed, index: 1, materials });
    const text = joinPrompt(sample.prompt);
    const counted = library.tokenize(text, { add_special_tokens: false }).length;
    equal(sample.promptTokens, counted, task.name);
    equal(materials.tokenizer.count(text), counted, `${task.name}, counted whole`);
    ok(counted + sample.answerRoom <= length, `${task.name} is over its length`);
  }
}
