import { deepEqual, equal, match, notEqual, rejects } from "node:assert/strict";
import { writeGguf } from "../text/_gguf.ts";
import { withFolder } from "../asking/_fakes.ts";
import { keepBeside, openTokenizer } from "@/lib/studies/tokenizers.ts";

/** A tokenizer.json whose file is large enough to be kept. */
function largeJson(merges: readonly string[]): string {
  const vocab = {
    a: 0,
    b: 1,
    ab: 2,
    ...Object.fromEntries(Array.from({ length: 60_000 }, (_, id) => [`token ${id}`, id + 3])),
  };
  return JSON.stringify({
    ...{ added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null },
    model: { type: "BPE", vocab, merges },
  });
}

Deno.test("openTokenizer() keeps what it compiled, and counts the same with and without", async () => {
  await withFolder(async (folder) => {
    const [path, cache] = [`${folder}/tokenizer.json`, `${folder}/cache`];
    await Deno.writeTextFile(path, largeJson(["a b"]));
    const first = await openTokenizer(path, { cache });
    const [kept] = [...Deno.readDirSync(cache)];
    match(kept!.name, /^[0-9a-f]{64}-\d+\.bin$/);
    const again = await openTokenizer(path, { cache });
    equal(again.name, first.name);
    deepEqual([first.count("abab"), again.count("abab")], [2, 2]);
    // Another file has another name, here and there.
    await Deno.writeTextFile(path, largeJson([]));
    const other = await openTokenizer(path, { cache });
    notEqual(other.name, first.name);
    equal(other.count("abab"), 4);
    equal([...Deno.readDirSync(cache)].length, 2);
  });
});

Deno.test("openTokenizer() ignores what was kept and is damaged, and keeps it again", async () => {
  await withFolder(async (folder) => {
    const [path, cache] = [`${folder}/tokenizer.json`, `${folder}/cache`];
    await Deno.writeTextFile(path, largeJson(["a b"]));
    await openTokenizer(path, { cache });
    const kept = `${cache}/${[...Deno.readDirSync(cache)][0]!.name}`;
    const whole = await Deno.readFile(kept);
    await Deno.writeFile(kept, whole.subarray(0, 1000));
    equal((await openTokenizer(path, { cache })).count("abab"), 2);
    deepEqual(await Deno.readFile(kept), whole);
  });
});

Deno.test("openTokenizer() opens a .gguf file by its header, named for the model's kind and its tokens", async () => {
  await withFolder(async (folder) => {
    const values = {
      "general.architecture": "tiny",
      "tokenizer.ggml.model": "gpt2",
      "tokenizer.ggml.pre": "gpt-2",
      "tokenizer.ggml.tokens": ["a", "b", "ab"],
      "tokenizer.ggml.merges": ["a b"],
    };
    const bytes = writeGguf(values);
    await Deno.writeFile(`${folder}/one-Q4.gguf`, bytes);
    await Deno.writeFile(`${folder}/one-Q8.gguf`, Uint8Array.of(...bytes, 1, 2, 3));
    const [one, other] = [await openTokenizer(`${folder}/one-Q4.gguf`), await openTokenizer(`${folder}/one-Q8.gguf`)];
    match(one.name, /^tiny-gguf-[0-9a-f]{8}$/);
    equal(other.name, one.name);
    equal(one.count("abab"), 2);
    await Deno.writeFile(`${folder}/cut.gguf`, bytes.subarray(0, 40));
    await rejects(openTokenizer(`${folder}/cut.gguf`), {
      name: "SyntaxError",
      message: 'Cannot open tokenizer "cut.gguf" as the file must hold its whole header: current value is 40 bytes',
    });
    await rejects(openTokenizer(`${folder}/none.gguf`), {
      name: "RangeError",
      message: /there is nothing of that name/,
    });
  });
});

Deno.test("keepBeside() makes what follows from a tokenizer once, and again where it is damaged or follows from something else", async () => {
  await withFolder(async (folder) => {
    const [path, cache] = [`${folder}/tokenizer.json`, `${folder}/cache`];
    await Deno.writeTextFile(path, largeJson(["a b"]));
    const tokenizer = await openTokenizer(path, { cache });
    let made = 0;
    const keep = (of: number): number[] | undefined => {
      const make = (): Uint8Array => Uint8Array.of(++made);
      const kept = keepBeside(tokenizer, { name: "world", of: Uint8Array.of(of), make });
      return kept && [...kept];
    };
    deepEqual([keep(1), keep(1)], [[1], [1]]);
    deepEqual([keep(2), keep(2)], [[2], [2]]);
    const [file] = [...Deno.readDirSync(cache)].filter(({ name }) => name.endsWith("-world.bin"));
    const bytes = await Deno.readFile(`${cache}/${file!.name}`);
    await Deno.writeFile(`${cache}/${file!.name}`, bytes.with(-1, 9));
    deepEqual([keep(2), keep(2)], [[3], [3]]);
    equal([...Deno.readDirSync(cache)].length, 2);
    // Nothing is made that cannot be kept.
    await Deno.remove(cache, { recursive: true });
    await Deno.writeTextFile(cache, "");
    equal(keep(2), undefined);
    equal(made, 3);
  });
});
