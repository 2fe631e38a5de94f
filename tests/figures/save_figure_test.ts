import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { inFolder } from "../_folder.ts";
import { smallBars, smallLines } from "./_figures.ts";
import { barChart, type Figure, saveFigure, table } from "@/lib/figures/mod.ts";
import { drawPng } from "@/lib/figures/save_figure.ts";

function smallTable(): ReturnType<typeof table> {
  return table([{ task: "vt", score: 91 }], {
    title: "A <table>",
    caption: "One row.",
    n: 1,
    origin: "measured",
    columns: [{ field: "task", label: "Task" }, { field: "score", label: "Score (%)" }],
  });
}

Deno.test("saveFigure() writes a figure in the format of its file name, and makes folders", () =>
  inFolder(async (folder) => {
    const figure = smallBars();
    for (const ending of ["svg", "png", "html", "json"]) await saveFigure(figure, join(folder, "new", `a.${ending}`));
    const read = (name: string): Promise<string> => Deno.readTextFile(join(folder, "new", name));
    equal(await read("a.svg"), await figure.svg());
    deepEqual(JSON.parse(await read("a.json")), figure.spec);
    const html = await read("a.html");
    ok(html.includes(await figure.svg()));
    ok(!/<script|https?:(?!\/\/www\.w3\.org\/)/.test(html), "the page asks nothing of the network");
    equal((await Deno.readFile(join(folder, "new", "a.png")))[1], "P".charCodeAt(0));
  }));

Deno.test("saveFigure() writes a table in the format of its file name", () =>
  inFolder(async (folder) => {
    const shown = smallTable();
    for (const ending of ["html", "md", "txt"]) await saveFigure(shown, join(folder, `t.${ending}`));
    equal(await Deno.readTextFile(join(folder, "t.md")), shown.markdown);
    equal(await Deno.readTextFile(join(folder, "t.txt")), shown.text);
    match(await Deno.readTextFile(join(folder, "t.html")), /<title>A &lt;table&gt;<\/title>/);
  }));

Deno.test("saveFigure() refuses another ending and writes nothing", () =>
  inFolder(async (folder) => {
    const path = join(folder, "new", "a.gif");
    await rejects(saveFigure(smallBars(), path), {
      name: "RangeError",
      message:
        `Cannot save "B is lower at each length" as the file name must end in .svg, .png, .html, .json: current value is "${path}"`,
    });
    await rejects(saveFigure(smallTable(), join(folder, "t.svg")), { message: /must end in \.html, \.md, \.txt/ });
    deepEqual([...Deno.readDirSync(folder)], []);
  }));

function chinese(): Figure {
  return barChart([{ task: "词频", score: 91 }], {
    title: "读者忘得慢",
    caption: "每个任务一根柱。",
    origin: "simulated",
    n: 10,
    category: "task",
    value: "score",
    categoryTitle: "任务",
    valueTitle: "得分（%）",
  });
}

function hindi(): Figure {
  const row = { task: "नमस्ते", score: 91 };
  const titles = { categoryTitle: "Task", valueTitle: "Score (%)", title: "One bar", caption: "One task." };
  return barChart([row], { ...titles, origin: "simulated", n: 10, category: "task", value: "score" });
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
  const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(await smallLines().svg())!.map(Number);
  for (const scale of [1, 2]) {
    const png = await drawPng(smallLines(), { scale });
    deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const read = readPng(png);
    ok(Math.abs(read.width - width! * scale) <= 1, `${read.width}`);
    ok(Math.abs(read.height - height! * scale) <= 1, `${read.height}`);
    ok(read.kinds > 50, `${read.kinds}`);
  }
});

Deno.test("drawPng() writes Chinese, and other scripts by the fonts of the machine", async () => {
  const [png, again] = [await drawPng(chinese()), await drawPng(chinese())];
  ok(readPng(png).kinds > 50);
  deepEqual(again, png);
  ok(readPng(await drawPng(hindi())).kinds > 50);
});

Deno.test("drawPng() refuses a scale of 0", async () => {
  await rejects(drawPng(smallLines(), { scale: 0 }), {
    message: "Cannot draw the PNG as scale must be above 0 and at most 10: current value is 0",
  });
  equal((await drawPng(smallLines(), { scale: 0.1 })).length > 0, true);
});
