import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { inFolder } from "../_folder.ts";
import { writtenTexts } from "./_read_svg.ts";
import { FIGURES, smallBars, smallLines } from "./_figures.ts";
import { barChart, type Figure, saveFigure } from "@/lib/figures/mod.ts";
import { drawPng } from "@/lib/figures/save_figure.ts";

const PAPER = { width: 241, fontSize: 8 };

Deno.test("saveFigure() writes a figure in the format of its file name, and makes folders", () =>
  inFolder(async (folder) => {
    const figure = smallBars();
    for (const ending of ["svg", "png", "pdf"]) await saveFigure(figure, join(folder, "new", `a.${ending}`));
    equal(await Deno.readTextFile(join(folder, "new", "a.svg")), await figure.svg());
    equal((await Deno.readFile(join(folder, "new", "a.png")))[1], "P".charCodeAt(0));
    const [, width] = / width="(\d+)"/.exec(await figure.svg())!;
    const pdf = new TextDecoder("latin1").decode(await Deno.readFile(join(folder, "new", "a.pdf")));
    ok(pdf.includes(`/MediaBox [0 0 ${width} `));
  }));

Deno.test("saveFigure() refuses another ending and writes nothing", () =>
  inFolder(async (folder) => {
    const path = join(folder, "new", "a.gif");
    await rejects(saveFigure(smallBars(), path), {
      name: "RangeError",
      message:
        `Cannot save "B is lower at each length" as the file name must end in .svg, .pdf, .png: current value is "${path}"`,
    });
    deepEqual([...Deno.readDirSync(folder)], []);
  }));

Deno.test("saveFigure() for a paper writes the chart alone: text as text, in its width and size", () =>
  inFolder(async (folder) => {
    for (const [name, figure] of FIGURES) {
      const path = join(folder, "a.svg");
      await saveFigure(figure(), path, { ...PAPER, font: "A & B" });
      const svg = await Deno.readTextFile(path);
      const [, height, across, down] = /width="241pt" height="([\d.]+)pt" viewBox="0 0 ([\d.]+) (\d+)"/.exec(svg)!.map(
        Number,
      );
      // Labels of 11 pixels have 8 points.
      ok(Math.abs(across! * 8 / 11 - 241) < 1, `${name}: ${across}`);
      ok(Math.abs(height! / 241 - down! / across!) < 1e-6, name);
      match(svg, /^<svg [^>]*font-family="A &amp; B"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/);
      const { title, caption, note } = figure();
      const words = writtenTexts(svg).filter((text) => text.length > 8);
      for (const text of [title, caption, note]) ok(!words.some((written) => text.startsWith(written)), name);
    }
  }));

Deno.test("saveFigure() for a paper writes a PDF of vectors with its font, the same each time, and a PNG of 300 pixels an inch", () =>
  inFolder(async (folder) => {
    const [pdf, again, png] = ["a.pdf", "b.pdf", "c.png"].map((name) => join(folder, name));
    for (const path of [pdf, again, png]) await saveFigure(smallLines(), path!, PAPER);
    deepEqual(await Deno.readFile(again!), await Deno.readFile(pdf!));
    const written = new TextDecoder("latin1").decode(await Deno.readFile(pdf!));
    match(written, /^%PDF-1\.\d/);
    match(written, /\/MediaBox \[0 0 241 [\d.]+\]/);
    match(written, /\/BaseFont \/\w+\+Inter-Regular/);
    match(written, /\/FontFile2/);
    match(written, /\/Title \d+ 0 R/);
    match(written, /obj\n\(B forgets sooner\)\nendobj/);
    ok(!written.includes("/Subtype /Image"));
    equal(readPng(await Deno.readFile(png!)).width, Math.round(241 / 72 * 300));
  }));

Deno.test("saveFigure() for a paper refuses labels without room, and a PDF whose font is no file", () =>
  inFolder(async (folder) => {
    const save = (more: object): Promise<void> => saveFigure(smallBars(), join(folder, "a.pdf"), { ...PAPER, ...more });
    await rejects(save({ width: 100 }), {
      message:
        'Cannot draw "B is lower at each length" as its width must be at least 146 points at this size of text: current value is 100.0',
    });
    await rejects(save({ font: "no.ttf" }), {
      message:
        'Cannot draw the PDF as its font must be a .ttf or .otf file, which is embedded: current value is "no.ttf"',
    });
    deepEqual([...Deno.readDirSync(folder)], []);
  }));

/** A figure with one bar and a text wherever one is written. */
function oneBar(text: string): Figure {
  const titles = { categoryTitle: text, valueTitle: text, title: text, caption: text };
  return barChart([{ task: text, score: 91 }], {
    ...titles,
    origin: "simulated",
    n: 10,
    category: "task",
    value: "score",
  });
}

/** Width, height and how many different bytes the picture's rows hold. */
function readPng(png: Uint8Array): { readonly width: number; readonly height: number; readonly kinds: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const data: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (name === "IDAT") data.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const raw = inflateSync(Buffer.concat(data));
  return { width: view.getUint32(16), height: view.getUint32(20), kinds: new Set(raw).size };
}

Deno.test("drawPng() draws the picture at its scale, and not blank", async () => {
  const svg = await smallLines().svg();
  const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(svg)!.map(Number);
  for (const scale of [1, 2]) {
    const png = await drawPng(svg, scale);
    deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const read = readPng(png);
    ok(Math.abs(read.width - width! * scale) <= 1, `${read.width}`);
    ok(Math.abs(read.height - height! * scale) <= 1, `${read.height}`);
    ok(read.kinds > 50, `${read.kinds}`);
  }
});

Deno.test("drawPng() writes Chinese, and other scripts by the fonts of the machine", async () => {
  const draw = async (text: string): Promise<Uint8Array> => await drawPng(await oneBar(text).svg(), 2);
  const [png, again] = [await draw("读者忘得慢（%）"), await draw("读者忘得慢（%）")];
  ok(readPng(png).kinds > 50);
  deepEqual(again, png);
  ok(readPng(await draw("नमस्ते")).kinds > 50);
});
