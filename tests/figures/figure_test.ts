import { deepEqual, equal, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { ANY } from "../_characters.ts";
import { cases } from "../_cases.ts";
import { FIGURES, smallLines } from "./_figures.ts";
import { namesIn, written } from "./_read_svg.ts";
import { barChart, heatmap, JUPYTER_DISPLAY, lineChart } from "@/lib/figures/mod.ts";

const SAID = { title: "t", caption: "c", n: 1, origin: "measured" } as const;
const PLAIN = { ...SAID, x: "x", y: "y", xTitle: "x", yTitle: "y" } as const;

Deno.test.each([...FIGURES])("%s() says title, origin, n, interval and caption in the picture", async (_name, make) => {
  const figure = make();
  const text = written(await figure.svg());
  ok(text.includes(figure.title));
  ok(text.includes(figure.caption));
  match(text, /Simulated · n = 25 samples a point/);
  match(text, /interval/);
});

Deno.test("figures are the same picture in another process, language and time zone", async () => {
  const script = new URL("./_print_figures.ts", import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--cached-only", "--quiet", script],
    env: { LANG: "zh_CN.UTF-8", LC_ALL: "zh_CN.UTF-8", TZ: "Asia/Tokyo", NO_COLOR: "1" },
  }).output();
  ok(success);
  const svgs = await Promise.all(FIGURES.map(([, make]) => make().svg()));
  equal(new TextDecoder().decode(stdout), svgs.map((svg) => `${svg}\n`).join(""));
});

Deno.test("figures need no permission at all", { permissions: "none" }, async () => {
  for (const [, make] of FIGURES) match(await make().svg(), /^<svg /);
});

Deno.test("a figure is shown as an interactive picture, SVG and text, never as HTML, which would take precedence", async () => {
  const figure = smallLines();
  const bundle = await figure[JUPYTER_DISPLAY]();
  deepEqual(Object.keys(bundle), ["application/vnd.vegalite.v5+json", "image/svg+xml", "text/plain"]);
  equal(bundle["image/svg+xml"], await figure.svg());
  equal(bundle["text/plain"], figure.text);
  match(JSON.stringify(bundle["application/vnd.vegalite.v5+json"]), /schema\/vega-lite\/v5\.json/);
  equal(Symbol.for("Jupyter.display") as symbol, JUPYTER_DISPLAY as symbol);
});

/** What is written to the console meanwhile. */
async function complaints(draw: () => Promise<unknown>): Promise<unknown[]> {
  const { warn, error } = console;
  const heard: unknown[] = [];
  console.warn = console.error = (...parts) => heard.push(parts);
  try {
    await draw();
  } finally {
    Object.assign(console, { warn, error });
  }
  return heard;
}

Deno.test("Vega and Vega-Lite give no warning", async () => {
  for (const [, make] of FIGURES) deepEqual(await complaints(make().svg), []);
});

Deno.test("ids are unique to each picture, as a page has several", async () => {
  const ids = async (title: string): Promise<string[]> => {
    const svg = await heatmap([{ x: 1, y: 1, v: 1 }], { ...PLAIN, title, value: "v", valueTitle: "v" }).svg();
    for (const [, used] of svg.matchAll(/url\(#([^)]*)\)/g)) ok(svg.includes(` id="${used}"`));
    return [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  };
  const [one, other] = [await ids("one"), await ids("other")];
  ok(one.length > 0);
  ok(one.every((id) => !other.includes(id)));
});

const HOSTILE = [
  "</svg><script>alert(1)</script>",
  `" onload="alert(1)`,
  "a & b &lt; c",
  "]]><!--",
  "\u0000\u001b[31mred\ud800\uffff",
  "\u202egnp.exe",
  "__proto__",
  "constructor",
  "datum.x || window",
  `'] + alert(1) + ['`,
  "$\\href{javascript:alert(1)}{x}$",
];
const TAGS = "svg g path rect line text tspan defs clipPath linearGradient stop title".split(" ");

async function hostileSvgs(text: string): Promise<string[]> {
  const rows = [{ a: text, b: 1, c: 2, d: text }, { a: `${text} too`, b: 1, c: 3, d: text }];
  const said = { title: `T ${text}`, caption: `C ${text}`, n: text, origin: { [text]: "simulated" } as const };
  const titles = { xTitle: text, yTitle: text, valueTitle: text, seriesTitle: text, categoryTitle: text };
  const tooltips = { [text]: "d" } as const;
  const figures = [
    lineChart(rows, { ...said, ...titles, x: "b", y: "c", series: "a", tooltips }),
    heatmap(rows, { ...said, ...titles, x: "a", y: "d", value: "c", tooltips }),
    barChart(rows, { ...said, ...titles, category: "d", value: "c", series: "a", stacked: true }),
  ];
  return await Promise.all(figures.map((figure) => figure.svg()));
}

Deno.test.each(HOSTILE.map((text) => [text] as const))("figures show hostile text %j as text", async (text) => {
  let svgs: readonly string[] = [];
  deepEqual(await complaints(async () => svgs = await hostileSvgs(text)), []);
  for (const svg of svgs) {
    const { tags, attributes } = namesIn(svg);
    deepEqual([...tags].filter((tag) => !TAGS.includes(tag)), []);
    deepEqual([...attributes].filter((name) => /^on|href|src/i.test(name)), []);
  }
});

Deno.test("figures show any text as text", async () => {
  const texts = fc.string({ unit: ANY, minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      for (const svg of await hostileSvgs(text)) {
        deepEqual([...namesIn(svg).tags].filter((tag) => !TAGS.includes(tag)), []);
      }
    }),
    { numRuns: cases(4, 25) },
  );
});

Deno.test("a tooltip line named image or title is not taken for a picture or a heading", () => {
  const rows = [{ x: 1, y: 2, reply: "https://example.org/x.png" }];
  const titled = { ...PLAIN, xTitle: "image", yTitle: "title" };
  const { spec } = lineChart(rows, { ...titled, tooltips: { image: "reply" } });
  const titles = [...JSON.stringify(spec).matchAll(/"type":"nominal","title":"([^"]*)"/g)].map(([, title]) => title);
  deepEqual(titles, ["Image", "Title", "Image (2)"]);
});

Deno.test("origins by series name the simulated ones in note and legend", async () => {
  const rows = [{ s: "GPT-4", x: 1, y: 1 }, { s: "sim:gpt-4", x: 1, y: 2 }];
  const origin = { "GPT-4": "published", "sim:gpt-4": "simulated" } as const;
  const figure = lineChart(rows, { ...PLAIN, n: 500, origin, series: "s" });
  const text = written(await figure.svg());
  match(text, /Published: GPT-4; simulated: sim:gpt-4 · n = 500 · no interval/);
  match(text, /sim:gpt-4 \(simulated\)/);
  deepEqual(figure.origins, ["published", "simulated"]);
});
