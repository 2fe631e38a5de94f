import { equal, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { inFolder } from "../../_folder.ts";
import type { TiktokenBPE } from "js-tiktoken/lite";
import counted from "@/data/tokenizers/costs.csv" with { type: "text" };
import { differentUuids } from "@/lib/benchmarks/needle_threading/pairs.ts";
import { THREADING } from "@/lib/benchmarks/needle_threading/threading.ts";
import { userText } from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";
import { pairCharactersPerToken } from "@/lib/papers/suites/run_limits.ts";
import { column, readRows } from "@/lib/statistics/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { ENCODING_NAMES } from "@/lib/text/mod.ts";

/** The file of costs with all its columns. */
const COSTS = readRows(counted, {
  file: "data/tokenizers/costs.csv",
  columns: {
    tokenizer: column.text("tokenizer"),
    package: column.text("package"),
    folder: column.text("folder"),
    text: column.choice("text", ["UUID pairs", "English prose", "Chinese prose"]),
    characters: column.count("characters"),
    tokens: column.count("tokens"),
  },
});

Deno.test("pairCharactersPerToken() counts a UUID pair as the paper does for GPT-4o: about 50 tokens of 80 characters", () => {
  for (const tokenizer of ["o200k_base", "cl100k_base"]) {
    const pairTokens = 80 / pairCharactersPerToken(tokenizer)!;
    // "about 50", section on tokenisation; 49.1 by the protocol's own count of other haystacks.
    ok(Math.abs(pairTokens - 49.5) < 0.7, `${pairTokens}`);
  }
  equal(pairCharactersPerToken("unknown"), null);
});

Deno.test.each([["gpt2", "r50k_base"], ["p50k_edit", "p50k_base"]] as [string, string][])(
  "ENCODING_NAMES are all of js-tiktoken's, as %s counts what %s counts",
  async (other, known) => {
    const ranks = async (name: string): Promise<TiktokenBPE> => (await import(`js-tiktoken/ranks/${name}`)).default;
    const [left, right] = [await ranks(other), await ranks(known)];
    equal(left.pat_str, right.pat_str);
    ok(left.bpe_ranks === right.bpe_ranks);
    ok((ENCODING_NAMES as readonly string[]).includes(known));
  },
);

/** A tokenizer with a token for each printable ASCII character and no other. */
const LETTERS = JSON.stringify({
  version: "1.0",
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  model: {
    type: "BPE",
    unk_token: "?",
    vocab: Object.fromEntries(
      Array.from({ length: 96 }, (_, at) => [at === 95 ? "\n" : String.fromCharCode(32 + at), at]),
    ),
    merges: [],
  },
});

Deno.test("a prompt of pairs is filled to the tokens of any tokenizer.json", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/tokenizer.json`, LETTERS);
    const materials = await openMaterials({ tokenizer: folder });
    const task = THREADING.make({ kind: "multi_needle", needles: 3 });
    const { prompt, promptTokens } = task.sample({ length: 9000, seed: "json", index: 0, materials });
    equal(promptTokens, userText(prompt).length);
    ok(promptTokens + task.answerRoom <= 9000 && promptTokens + task.answerRoom > 9000 - 80);
  });
});

/** Has folders such as `llama3_1`, each with the tokenizer.json of that name. */
const FOLDER = Deno.env.get("FATHOM_TOKENIZERS") ?? ".tokenizers";

for (const [name, kept] of Map.groupBy(COSTS, ({ tokenizer }) => tokenizer)) {
  const { folder, package: from } = kept[0]!;
  const tokenizer = from === "js-tiktoken" ? folder : `${FOLDER}/${folder}/tokenizer.json`;
  const isAbsent = tokenizer !== folder && !existsSync(tokenizer);
  Deno.test({
    name: `the kept tokens of ${name} are counted again${
      isAbsent ? " (skipped: no such folder in FATHOM_TOKENIZERS)" : ""
    }`,
    ignore: isAbsent,
    async fn(): Promise<void> {
      const { tokenizer: counter, essaysIn } = await openMaterials({ tokenizer });
      const newUuid = differentUuids(stream("pairs"));
      const texts = {
        "UUID pairs": Array.from({ length: 1000 }, () => ` "${newUuid()}": "${newUuid()}",`).join(""),
        "English prose": essaysIn("en").run(0, 500).text,
        "Chinese prose": essaysIn("zh").run(0, 500).text,
      };
      for (const { text, characters, tokens } of kept) {
        const again = [Array.from(texts[text]).length, counter.count(texts[text])];
        equal(`${text}: ${again.join(", ")}`, `${text}: ${characters}, ${tokens}`);
      }
    },
  });
}
