import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { smallBars } from "./_figures.ts";
import { saveFigure, table } from "@/lib/figures/mod.ts";

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function smallTable(): ReturnType<typeof table> {
  return table([{ task: "vt", score: 91 }], {
    title: "A <table>",
    caption: "One row.",
    n: 1,
    origin: "measured",
    columns: [{ field: "task", label: "Task" }, { field: "score", label: "Score (%)" }],
  });
}

Deno.test("saveFigure() writes a figure in the form its name asks for, into folders it makes", () =>
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

Deno.test("saveFigure() writes a table in the form its name asks for", () =>
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
