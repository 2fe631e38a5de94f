import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { inFolder } from "../_folder.ts";
import {
  checkCorpus,
  type Corpus,
  fetchCorpus,
  type FetchCorpusOptions,
  pickCorpora,
  readCorpora,
} from "@/lib/studies/mod.ts";

const TEXT = "A text of some length, so that half of it can come first.";
const sha256 = createHash("sha256").update(TEXT).digest("hex");
const blob = createHash("sha1").update(`blob ${TEXT.length}\0${TEXT}`).digest("hex");
const base = "https://example.org/at/commit/";
const corpus: Corpus = {
  ...{
    name: "tiny",
    use: "--essays FOLDER",
    for: ["ruler"],
    licence: "none",
    base,
    mirrors: ["https://mirror.example.org/"],
  },
  files: [{ path: "in/a.txt", bytes: TEXT.length, sha256 }, { path: "b.txt", blob }, { path: "c.txt" }],
};

/** A server that has TEXT at each address except those that it refuses. */
function server(refused: readonly string[] = [], text = TEXT): {
  readonly ask: NonNullable<FetchCorpusOptions["ask"]>;
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const ask = (address: string): Promise<Response> => {
    asked.push(address);
    const isRefused = refused.some((part) => address.includes(part));
    return Promise.resolve(isRefused ? new Response("no", { status: 404 }) : new Response(text));
  };
  return { ask, asked };
}

const states = async (folder: string): Promise<string[]> =>
  (await checkCorpus(corpus, folder)).map(({ state }) => state);

Deno.test("the corpora of data/sources.yaml have names, flags, licences and files of their own", async () => {
  const corpora = await readCorpora();
  equal(new Set(corpora.map(({ name }) => name)).size, corpora.length);
  for (const { use, licence, base, files } of corpora) {
    match(use, /^--\w+ FOLDER/);
    equal(licence !== "" && URL.canParse(base) && files.length > 0, true);
  }
  deepEqual(pickCorpora(corpora, ["cdme"]).map(({ name }) => name), ["cdme"]);
  throws(() => pickCorpora(corpora, ["cmde"]), /must be one of paul-graham-essays, .*: current value is "cmde"/);
});

Deno.test("fetchCorpus() fetches, checks, keeps what is right, and goes to a mirror", async () => {
  await inFolder(async (folder) => {
    deepEqual(await states(folder), ["missing", "missing", "missing"]);
    const { ask, asked } = server(["commit/c.txt"]);
    await fetchCorpus(corpus, { folder, ask });
    deepEqual(asked, [
      `${base}in/a.txt`,
      `${base}b.txt`,
      `${base}c.txt`,
      "https://mirror.example.org/c.txt",
    ]);
    deepEqual(await states(folder), ["here", "here", "here"]);
    const again = server();
    await fetchCorpus(corpus, { folder, ask: again.ask });
    deepEqual(again.asked, []);
  });
});

Deno.test("fetchCorpus() refuses other content and keeps nothing of it", async () => {
  await inFolder(async (folder) => {
    await rejects(
      fetchCorpus(corpus, { folder, ask: server([], "other").ask }),
      /a\.txt of tiny as its content must be/,
    );
    deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/tiny`)), []);
    await fetchCorpus(corpus, { folder, ask: server().ask });
    await Deno.writeTextFile(`${folder}/tiny/b.txt`, "changed");
    deepEqual(await states(folder), ["here", "wrong", "here"]);
  });
});

Deno.test("fetchCorpus() copies from a folder, and names what no address has", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/down/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/down/deep/a.txt`, TEXT);
    await Deno.writeTextFile(`${folder}/down/b.txt`, TEXT);
    const from = `${folder}/down`;
    await rejects(fetchCorpus(corpus, { folder, from }), /Cannot copy c\.txt as --from must name a folder that has it/);
    deepEqual(await states(folder), ["here", "here", "missing"]);
    const { ask } = server(["c.txt"]);
    await rejects(fetchCorpus(corpus, { folder, ask }), /c\.txt answers 404; .*Without internet, .*--from/);
  });
});
