import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { bundleRun, importRun } from "@/lib/exchange/mod.ts";
import { readScoredRun } from "@/lib/records/mod.ts";
import { openBundle } from "@/lib/exchange/bundle.ts";
import { findChanges } from "@/lib/records/run_files.ts";
import { openZip, packZip } from "@/lib/exchange/zip_file.ts";

const LIST = "fathom-bundle.json";
const CDME = "measured/gemma-3-270m/cdme";
const { content: BUNDLE, files: FILES, sha256: HASH } = await bundleRun(CDME);

/** The files of a bundle, to be changed and packed again. */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  const archive = openZip(bytes, "a bundle");
  return Object.fromEntries(archive.entries.map(({ path }) => [path, archive.read(path)]));
}

function changed(path: string, change: (text: string) => string): Uint8Array {
  const files = unpacked(BUNDLE);
  return packZip({ ...files, [path]: new TextEncoder().encode(change(new TextDecoder().decode(files[path]))) });
}

/** Changes a file and what the list says of it, as somebody would who makes a bundle by hand. */
async function forged(path: string, change: (text: string) => string): Promise<Uint8Array> {
  const files = unpacked(changed(path, change));
  const content = files[path]!;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(content)));
  const list = JSON.parse(new TextDecoder().decode(files[LIST]));
  list.files = list.files.map((file: { readonly path: string }) =>
    file.path === path ? { path, bytes: content.length, sha256: digest.toHex() } : file
  );
  return packZip({ ...files, [LIST]: new TextEncoder().encode(JSON.stringify(list)) });
}

Deno.test("bundleRun() gives the same bytes for the same run, with a study to run it again", async () => {
  const again = await bundleRun(CDME);
  deepEqual([again.sha256, again.content], [HASH, BUNDLE]);
  deepEqual(FILES.map(({ path }) => path), ["run/manifest.json", "run/records.jsonl", "study.yaml"]);
  const archive = openZip(BUNDLE, "the bundle");
  match(new TextDecoder().decode(archive.read("study.yaml")), /tasks:\n/);
});

Deno.test("a bundle that is imported has the replies and scores of its run", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/cdme.zip`, BUNDLE);
    const { name, records } = await importRun(`${folder}/cdme.zip`, { folder, name: "theirs" });
    const [ours, theirs] = [await readScoredRun(CDME), await readScoredRun(name, { folder })];
    equal(records, ours.records.length);
    deepEqual(theirs.replies, ours.replies);
    const { imported, ...manifest } = theirs.manifest;
    deepEqual(manifest, { ...ours.manifest, name: "theirs" });
    deepEqual(imported!.files, [{ name: "cdme.zip", bytes: BUNDLE.length, sha256: HASH }]);
    // Its prompts are made from their recipe, as those of any run of Fathom's.
    equal(theirs.manifest.study.samplesFile, undefined);
    const again = openZip((await bundleRun(name, { folder })).content, "a bundle of it");
    deepEqual(again.read("run/records.jsonl"), openZip(BUNDLE, "the bundle").read("run/records.jsonl"));
  });
});

Deno.test("a bundle without a hash of its records is refused", async () => {
  const older = await forged("run/manifest.json", (text) => {
    const { records: _, ...manifest } = JSON.parse(text);
    return JSON.stringify(manifest);
  });
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/older.zip`, older);
    await rejects(importRun(`${folder}/older.zip`, { folder, name: "older" }), /must have the hash of its "records"/);
  });
});

Deno.test("a bundle whose records are not those of the hash in its manifest is refused", async () => {
  const other = await forged("run/manifest.json", (text) => {
    const manifest = JSON.parse(text);
    return JSON.stringify({ ...manifest, records: { ...manifest.records, sha256: "0".repeat(64) } });
  });
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/other.zip`, other);
    await rejects(
      importRun(`${folder}/other.zip`, { folder, name: "other" }),
      /as it must be the run that was recorded: current value is "its records were changed/,
    );
  });
});

Deno.test("a bundle never replaces a run, and leaves nothing behind where it is refused", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/cdme.zip`, BUNDLE);
    await importRun(`${folder}/cdme.zip`, { folder, name: "theirs" });
    await rejects(
      importRun(`${folder}/cdme.zip`, { folder, name: "theirs" }),
      /Cannot import the run as its name must be free; --name gives it another: current value is "theirs"/,
    );
    await rejects(importRun(`${folder}/cdme.zip`, { folder, name: "../theirs" }), /Cannot name the run/);
    await Deno.writeFile(`${folder}/broken.zip`, changed("run/records.jsonl", (text) => text.replace("a", "b")));
    await rejects(
      importRun(`${folder}/broken.zip`, { folder, name: "broken" }),
      /run\/records\.jsonl must have the listed SHA-256, [0-9a-f]{64}: current value is "[0-9a-f]{64}"/,
    );
    deepEqual((await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort(), [
      "broken.zip",
      "cdme.zip",
      "theirs",
    ]);
  });
});

Deno.test("a bundle is refused before it is unpacked where a file has another size than its list says", async () => {
  const list = { bundle: 1, run: "x", files: [] as unknown[] };
  const names = ["run/manifest.json", "run/records.jsonl"];
  list.files = names.map((path) => ({ path, bytes: 5, sha256: "0".repeat(64) }));
  const contents = names.map((path) => [path, new Uint8Array(path === "run/records.jsonl" ? 2 ** 20 : 5)]);
  const bytes = packZip({
    [LIST]: new TextEncoder().encode(JSON.stringify(list)),
    ...Object.fromEntries(contents),
  });
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/larger.zip`, bytes);
    await rejects(importRun(`${folder}/larger.zip`, { folder, name: "x" }), {
      name: "SyntaxError",
      message:
        `Cannot import the bundle "${folder}/larger.zip" as run/records.jsonl must have the 5 bytes listed: current value is 1048576`,
    });
    deepEqual(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["larger.zip"]);
  });
});

Deno.test("openBundle() refuses paths that lead elsewhere, files that are not listed, and files that are missing", () => {
  const list = (path: string): string =>
    JSON.stringify({ bundle: 1, run: "x", files: [{ path, bytes: 1, sha256: "0" }] });
  for (
    const path of [
      "../../evil.sh",
      "/etc/cron.d/evil",
      "run/../../evil",
      "run/samples/1/data/../validation.jsonl",
      "run/samples/1/data/.ssh/validation.jsonl",
      "run\\records.jsonl",
      "run/records.jsonl\u0000.txt",
      "C:/evil",
    ]
  ) {
    const bytes = packZip({ [LIST]: new TextEncoder().encode(list(path)), [path]: new Uint8Array(1) });
    throws(() => openBundle(bytes, "evil.zip"), {
      name: "SyntaxError",
      message:
        `Cannot import the bundle "evil.zip" as each of its files must have a path of a bundle, such as run/manifest.json: current value is ${
          JSON.stringify(path)
        }`,
    });
  }
  const more = packZip({ ...unpacked(BUNDLE), "../more": new Uint8Array(1) });
  throws(() => openBundle(more, "more.zip"), /each of its files must be listed in it: current value is "\.\.\/more"/);
  const { "run/records.jsonl": _, ...rest } = unpacked(BUNDLE);
  const fewer = packZip(rest);
  throws(() => openBundle(fewer, "fewer.zip"), /it must hold run\/records\.jsonl/);
  equal(openBundle(new TextEncoder().encode("no archive, but a text that is long enough"), "a.txt"), undefined);
});

Deno.test("a bundle whose records are not those of its manifest is refused, whatever its list says", async () => {
  await inFolder(async (folder) => {
    const fewer = await forged("run/records.jsonl", (text) => text.slice(text.indexOf("\n") + 1));
    await Deno.writeFile(`${folder}/fewer.zip`, fewer);
    await rejects(
      importRun(`${folder}/fewer.zip`, { folder, name: "fewer" }),
      /current value is "its records were cut: /,
    );
    const other = await forged(
      "run/records.jsonl",
      (text) => text.replaceAll('"model":"gemma-3-270m"', '"model":"other"'),
    );
    await Deno.writeFile(`${folder}/other.zip`, other);
    await rejects(
      importRun(`${folder}/other.zip`, { folder, name: "other" }),
      /each record's model must be in its manifest/,
    );
    const odd = await forged("run/manifest.json", () => "{}");
    await Deno.writeFile(`${folder}/odd.zip`, odd);
    await rejects(importRun(`${folder}/odd.zip`, { folder, name: "odd" }), /must be the manifest of a run/);
  });
});

Deno.test("findChanges() finds none in the runs that come with Fathom", async () => {
  for (const name of [CDME, "measured/smollm2-135m-instruct/ruler"]) {
    const { manifest, records } = await readScoredRun(name);
    deepEqual(findChanges(manifest, { records, states: [] }), []);
  }
});

Deno.test.each([
  [
    (list: object) => ({ ...list, bundle: 2 }),
    /"bundle" of its list must be 1, the version that this Fathom reads: current value is 2/,
  ],
  [(list: object) => ({ ...list, files: {} }), /"files" of its list must be a list/],
  [
    (list: object) => ({ ...list, files: [{ path: "../a", bytes: 1, sha256: "" }] }),
    /must have a path of a bundle/,
  ],
  [
    (list: object) => ({ ...list, files: [{ path: "study.yaml", bytes: "1", sha256: "" }] }),
    /must have "bytes" and "sha256"/,
  ],
] as [(list: object) => unknown, RegExp][])("a bundle whose list is changed by %s is refused", (change, message) => {
  const bytes = changed("fathom-bundle.json", (text) => JSON.stringify(change(JSON.parse(text))));
  throws(() => openBundle(bytes, "a.zip"), { name: "SyntaxError", message });
});

Deno.test("bundleRun() names the files of the user's that a run's prompts are made of, and no others", async () => {
  await inFolder(async (folder) => {
    await importRunAs(folder, {});
    deepEqual((await bundleRun("run", { folder })).notes, []);
    const own = { essays: "essays.txt", squad: "squad.json", hotpotqa: "hotpot.json", tokenizer: "tokenizer.json" };
    await importRunAs(folder, own);
    const [note = ""] = (await bundleRun("run", { folder })).notes;
    match(
      note,
      /^not in the bundle, but needed to rebuild prompts \(not scores\): tokenizer\.json, essays\.txt, squad\.json, hotpot\.json$/,
    );
  });
});

/** Writes the run of the bundle to a folder, with a study that has other materials. */
async function importRunAs(folder: string, materials: object): Promise<void> {
  await Deno.mkdir(`${folder}/run`, { recursive: true });
  for (const file of ["manifest.json", "records.jsonl"]) {
    const content = unpacked(BUNDLE)[`run/${file}`]!;
    await Deno.writeFile(`${folder}/run/${file}`, content);
  }
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/run/manifest.json`));
  const study = { ...manifest.study, ...materials };
  await Deno.writeTextFile(`${folder}/run/manifest.json`, JSON.stringify({ ...manifest, name: "run", study }));
}
