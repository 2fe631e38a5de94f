import { deepEqual, equal, match, ok } from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { cases } from "../_cases.ts";
import { inFolder } from "../_folder.ts";
import { shell } from "../cli/_shell.ts";
import { type WatchedPage, withPage } from "../e2e/_browser.ts";
import { findPageFaults } from "../e2e/_page_faults.ts";
import { findChromium } from "../e2e/_project.ts";
import { writeSite } from "./main.ts";
import { DEFAULTS, knobsOf, type makeSample, type Settings } from "./samples.ts";
import { BENCHMARKS } from "@/lib/benchmarks/mod.ts";

const TOKENIZERS = ["cl100k_base", "o200k_base", "p50k_base", "cl100k_base", "r50k_base"];

/** Each task of each suite, at several lengths and with several seeds and tokenizers, and some knobs; or some of them. */
const CHOICES: readonly Settings[] = [
  ...BENCHMARKS.flatMap(({ families }) => families.flatMap(({ tasks }) => tasks.map((task) => ({ task })))),
  { task: "niah", "set.keys": "8", "set.haystack": "noise" },
  { task: "niah_single_2", "set.variant": "paper" },
].map((choice, at) => ({
  ...choice,
  length: ["2048", "5000", "8K", "20000"][at % 4]!,
  seed: ["42", "a <b> & 'c'", "种子"][at % 3]!,
  index: String(at % 7),
  tokenizer: TOKENIZERS[at % 5]!,
})).filter((_, at) => at % cases(7, 1) === 0);

/** The line of `fathom generate` for settings. */
async function generated(settings: Settings): Promise<Readonly<Record<string, string>>> {
  const { task, length, seed, index, tokenizer } = settings;
  const flags = { tasks: task, lengths: length, seed, "first-sample": index, tokenizer };
  const all = [...Object.entries(flags), ...knobsOf(settings).map((knob) => ["set", knob.join("=")] as const)];
  const { out, err } = await shell("generate", ...all.flatMap(([flag, value]) => [`--${flag}`, value]));
  ok(out !== "", err.join("\n"));
  return JSON.parse(out);
}

/** The links of a page that lead to no file of the site, or to no heading in it. */
function findBroken(folder: string, path: string): readonly string[] {
  const html = Deno.readTextFileSync(join(folder, path));
  const links = html.matchAll(/(?:href|src)="(?!https?:|data:)([^"#]*)(?:#([^"]*))?"/g);
  return Array.from(links).flatMap(([link, to, anchor]) => {
    const file = to === "" ? path : join(dirname(path), to!);
    const text = existsSync(join(folder, file)) ? Deno.readTextFileSync(join(folder, file)) : "";
    const isThere = anchor === undefined ? text !== "" : text.includes(`id="${anchor}"`);
    return isThere ? [] : [`${path}: ${link}`];
  });
}

/** The page makes some samples of the shell, copies a prompt, scores a reply as the shell does, and shows a text as text. */
async function tryPage(folder: string, { page, failed }: WatchedPage): Promise<void> {
  let bytes = 0;
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.route("https://site.test/**", async (route) => {
    const path = join(folder, new URL(route.request().url()).pathname);
    bytes += (await Deno.stat(path)).size;
    await route.fulfill({ path });
  });
  const open = async (settings: Settings): Promise<Readonly<Record<string, string>>> => {
    const line = await generated(settings);
    await page.evaluate((hash) => void (location.hash = hash), String(new URLSearchParams(settings)));
    await page.locator("#id").getByText(line["sample"]!, { exact: true }).waitFor();
    equal(await page.locator("#sha256").textContent(), line["sha256"]);
    return line;
  };
  await page.goto("https://site.test/make.html#tokenizer=o200k_base");
  await page.locator("#id").waitFor();
  ok(bytes < 3e6, `${bytes} bytes with the largest encoding`);
  for (const settings of CHOICES) await open(settings);
  const line = await open({ ...DEFAULTS, task: "niah_multikey_1" });
  await page.getByRole("button", { name: "Copy the prompt" }).click();
  await page.getByText("The prompt is copied").waitFor();
  equal(await page.evaluate(() => navigator.clipboard.readText()), line["input"]);
  const pred = `<img src=x onerror=alert(1)> ${line["outputs"]![0]}\u2028`;
  await Deno.writeTextFile(`${folder}/reply.jsonl`, JSON.stringify({ pred, outputs: line["outputs"] }));
  const { out } = await shell("score", "--task", "niah_multikey_1", `${folder}/reply.jsonl`, "--json");
  const { value, answer, why } = JSON.parse(out).scores[0];
  await page.getByLabel("A model's reply").fill(pred);
  const shown = await page.locator("#score, #answer, #why").allTextContents();
  deepEqual(shown, [`${(100 * value).toFixed(2)}%`, answer, why]);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    deepEqual(await findPageFaults(page, "svg"), []);
  }
  await page.getByLabel("Task").selectOption("vt");
  await page.getByText("-2/vt/").waitFor();
  await page.goto("https://site.test/make.html#task=<img src=x onerror=alert(1)>");
  match(await page.getByRole("status").textContent() ?? "", /^Cannot make the tasks .*"<img src=x/);
  equal(await page.locator("img").count(), 0);
  deepEqual([failed, said], [[], []]);
}

Deno.test("the site has the docs and makes the samples of the shell, by the pure rooms, also in Chromium if there is one", async () => {
  await inFolder(async (folder) => {
    const { code, pages } = await writeSite(folder);
    deepEqual(pages.flatMap((path) => findBroken(folder, path)), []);
    const others = code.filter((path) => !/^lib\/(?:base|random|text|scorers|generators|benchmarks)\//.test(path));
    deepEqual([...new Set(others)].sort(), [
      "lib/models/json.ts",
      "lib/reports/marked_prompt.ts",
      ...["materials", "open_study", "tokenizers"].map((name) => `lib/studies/${name}.ts`),
    ]);
    const made = await import(`file://${folder}/code/samples.js`) as { readonly makeSample: typeof makeSample };
    const read = async (text: string): Promise<string> =>
      new TextDecoder().decode(gunzipSync(await Deno.readFile(`${folder}/texts/${text}.gz`)));
    ok(CHOICES.length >= cases(9, 60));
    for (const settings of CHOICES) {
      const { sample: { id, sha256, references } } = await made.makeSample(settings, read);
      const line = await generated(settings);
      deepEqual([id, sha256, references], [line["sample"], line["sha256"], line["outputs"]]);
    }
    const chromium = cases(undefined, findChromium());
    if (chromium !== undefined) await withPage(chromium, (watched) => tryPage(folder, watched), true);
  });
});
