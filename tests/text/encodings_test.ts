import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import fc from "fast-check";
import { cases } from "../_cases.ts";
import { pick, stream } from "@/lib/random/mod.ts";
import { ENCODING_NAMES, type EncodingName, encodingOf, isCutOfAscii, openEncoding } from "@/lib/text/mod.ts";

const opened = new Map<EncodingName, Tiktoken>();

async function openTiktoken(name: EncodingName): Promise<Tiktoken> {
  const ranks: { default: TiktokenBPE } = await import(`js-tiktoken/ranks/${name}`);
  const reference = opened.get(name) ?? new Tiktoken(ranks.default);
  opened.set(name, reference);
  return reference;
}

async function openReference(name: EncodingName): Promise<(text: string) => number> {
  const reference = await openTiktoken(name);
  return (text) => reference.encode(text, [], []).length;
}

/** How long the longest texts without a break are: js-tiktoken takes the square of it. */
const RUN = cases(100, 500);

const HARD_TEXTS = [
  "",
  " ",
  "\n\n  \n",
  "I'll say: don't! It's 1234567.",
  "One of the special magic numbers for red-hawk is: 1152086.\n",
  "703e957f-35ab-4466-b557-8b00f166cdcf",
  "... ... ...... …… ★★★",
  "小明最喜欢的实习的地点就是上海人工智能实验室。“你好”，他说。",
  "naïve café Ⅷ ½ 𝒳 👩‍👩‍👧‍👦 नमस्ते",
  "<|endoftext|> is text here",
  "a\u0000b\u001fc\u2028d\ufeff",
  "x".repeat(RUN),
  "你".repeat(RUN),
  "\ud800 alone",
  "a\x7f \x7fb\x7f\x7f1 \x80a\x80\x80 \x7e\x7f\x80",
  "a\u0000 ab\u0000 \u0000\u0000 \u0000 a",
];

/** Texts in which ASCII stands beside other characters, white space and endings of words among them. */
const MIXED = fc.array(
  fc.constantFrom(
    ..." \n\r\t'/.sSrRaZ019é。ſ\u3000\xa0٣★😀",
    ...["  ", "'re", "word", "e\u0301", "你好"],
  ),
  { maxLength: 14 },
).map((parts) => parts.join(""));

for (const name of ENCODING_NAMES) {
  Deno.test(`openEncoding() counts ${name} as js-tiktoken does, on hard texts and on random ones`, async () => {
    const [tokenizer, reference] = [await openEncoding(name), await openReference(name)];
    for (const text of HARD_TEXTS) equal(tokenizer.count(text), reference(text), JSON.stringify(text.slice(0, 40)));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 60 }), MIXED), (text) => {
        equal(tokenizer.count(text), reference(text));
      }),
      { seed: 7, numRuns: cases(60, 400) },
    );
  });
}

/** The characters that the patterns tell apart, so that texts of a few of them meet every rule. */
const TELLING = fc.array(
  fc.constantFrom(
    ..." \n\r\t'/.-_sStTmMdDrReEvVlLaZ019\u0000\u000b\u001c",
    ...["  ", "\n\n", "'re", "'LL", "word", "Word", "1234"],
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

Deno.test.each([...ENCODING_NAMES])("openEncoding() counts add up at every safe cut of %s", async (name) => {
  const [tokenizer, reference] = [await openEncoding(name), await openReference(name)];
  fc.assert(
    fc.property(TELLING, (text) => {
      equal(tokenizer.count(text), reference(text), JSON.stringify(text));
      for (let at = 1; at < text.length; at++) {
        if (!tokenizer.isCut(text, at) && !isCutOfAscii(text, at)) continue;
        equal(tokenizer.count(text), tokenizer.count(text.slice(0, at)) + tokenizer.countAfterCut(text.slice(at)));
      }
    }),
    { numRuns: cases(500, 2000) },
  );
});

Deno.test("openEncoding() counts long texts as js-tiktoken does", async () => {
  const draw = stream("long texts");
  const pieces = [" word", " and", "'s", "\n\n", "   ", " 12345", "你好。", " é", "...", "\t", " NAME", "/", " a b"];
  for (const length of cases([16_390], [16_384, 16_390, 50_000])) {
    let text = "";
    while (text.length < length) text += pick(draw, pieces);
    for (const name of ["cl100k_base", "o200k_base"] as const) {
      const [tokenizer, reference] = [await openEncoding(name), await openReference(name)];
      equal(tokenizer.count(text), reference(text));
    }
  }
  // There is no place to part it at.
  const blanks = ` ${"\n ".repeat(20_000)}end`;
  const [tokenizer, reference] = [await openEncoding("cl100k_base"), await openReference("cl100k_base")];
  equal(tokenizer.count(`${blanks} of it`), tokenizer.count(blanks) + reference(" of it"));
});

Deno.test("openEncoding() ends tokens where js-tiktoken does, inside characters too", async () => {
  const reference = await openTiktoken("cl100k_base");
  const { textMap } = reference as unknown as { readonly textMap: ReadonlyMap<number, Uint8Array> };
  const { tokenEnds, count } = await openEncoding("cl100k_base");
  const run = Array.from({ length: RUN }, (_, index) => String.fromCharCode(0x4e00 + (index * 37) % 5000)).join("");
  for (const text of [...HARD_TEXTS, run]) {
    let end = 0;
    const wanted = reference.encode(text, [], []).map((token) => end += textMap.get(token)!.length);
    deepEqual(tokenEnds!(text), wanted, JSON.stringify(text.slice(0, 40)));
    equal(count(text), wanted.length);
  }
  // 喱 is three bytes and no token of its own.
  ok(tokenEnds!("喱").length > 1);
});

Deno.test("openEncoding() refuses a name it does not know, and lists those it does", async () => {
  await rejects(openEncoding("gpt2" as EncodingName), {
    name: "RangeError",
    message: 'Cannot open encoding "gpt2": the name must be one of o200k_base, cl100k_base, p50k_base, r50k_base',
  });
});

Deno.test("encodingOf() knows the encodings, and models as tiktoken names them", () => {
  for (const name of ENCODING_NAMES) equal(encodingOf(name), name);
  const models = {
    "gpt-3.5-turbo": "cl100k_base",
    "gpt-4-32k": "cl100k_base",
    "gpt-4.1": "o200k_base",
    "o3": "o200k_base",
  };
  for (const [model, encoding] of Object.entries(models)) equal(encodingOf(model), encoding);
  equal(encodingOf("text-davinci-003"), "p50k_base");
  // An encoding that is not among the four, and names that are no model's.
  for (const name of ["text-davinci-edit-001", "", "toString", "gpt-4/tokenizer.json"]) {
    equal(encodingOf(name), undefined);
  }
});
