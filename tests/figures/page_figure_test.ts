import { deepEqual, equal, match, ok } from "node:assert/strict";
import { FIGURES, SCORES, smallBars, smallLines } from "./_figures.ts";
import { markLabels, writtenTexts } from "./_read_svg.ts";
import { darkFigureStyle, figureHtml, lineChart, panels } from "@/lib/figures/mod.ts";
import { DARK } from "@/lib/figures/colours.ts";

const PICTURES = /<div class="(narrow|wide|narrow wide)">.*?(<svg xmlns.*?<\/svg>)<\/div>/gs;

async function picturesOf(make: () => ReturnType<typeof smallLines>): Promise<Map<string, string>> {
  const html = await figureHtml(make().pageSpec());
  return new Map([...html!.matchAll(PICTURES)].map(([, kind, svg]) => [kind!, svg!]));
}

const widthOf = (svg: string): number => Number(/ width="([\d.]+)"/.exec(svg)![1]);

Deno.test.each([...FIGURES])(
  "%s() has a picture for a phone and one for a wider page, with the same marks",
  async (_, make) => {
    const pictures = await picturesOf(make);
    const [narrow, wide] = [pictures.get("narrow")!, pictures.get("wide")!];
    ok(widthOf(narrow) <= 358, String(widthOf(narrow)));
    ok(widthOf(wide) > 500 && widthOf(wide) <= 716, String(widthOf(wide)));
    const known = (svg: string): string[] => markLabels(svg).sort();
    ok(known(narrow).length > 0);
    equal(known(narrow).join("\n"), known(wide).join("\n"));
  },
);

Deno.test.each([...FIGURES])(
  "%s() has title, note and caption as text of the page, not in its pictures",
  async (_, make) => {
    const figure = make();
    const html = (await figureHtml(figure.pageSpec()))!;
    ok(html.includes(`<strong>${figure.title}</strong>`));
    ok(html.includes(`<p class="caption">${figure.caption}</p>`));
    match(html, /<span class="note doubtful">Simulated · n = 25/);
    for (const svg of (await picturesOf(make)).values()) {
      const texts = writtenTexts(svg);
      ok(!texts.includes(figure.title) && !texts.includes(figure.caption), texts.join());
    }
  },
);

Deno.test("a legend is text of the page, unless lines have their names at their ends", async () => {
  const html = (await figureHtml(smallBars().pageSpec()))!;
  match(html, /<p class="legend">(<strong>.*?<\/strong> )?<button type="button" class="key"><svg.*?<\/svg>A<\/button>/);
  ok(!(await figureHtml(smallLines().pageSpec()))!.includes('class="legend"'));
});

Deno.test("texts of a figure are escaped, and a specification of another origin is none", async () => {
  const hostile = "<img onerror=alert(1)>";
  const figure = lineChart(SCORES, {
    ...{ title: hostile, caption: hostile, n: hostile, origin: "measured", series: "model" } as const,
    ...{ x: "length", y: "score", xTitle: hostile, yTitle: hostile, seriesTitle: hostile } as const,
  });
  ok(!(await figureHtml(panels([figure], { title: hostile, caption: hostile }).pageSpec()))!.includes("<img"));
  equal(await figureHtml({ mark: "point" }), undefined);
});

Deno.test("the dark style has a colour for each colour of the theme", () => {
  const style = darkFigureStyle();
  for (const [light, dark] of Object.entries(DARK)) ok(style.includes(`[fill="${light}"] { fill: ${dark}; }`), light);
});

Deno.test("marks of a run lead to their replies where the page has them; those of published scores lead nowhere", async () => {
  const rows = [
    { model: "mine", task: "vt", length: 4096, score: 50 },
    { model: "mine", task: "vt", length: 8192, score: 40 },
    // The name of a property that every object has.
    { model: "constructor", task: "vt", length: 4096, score: 90 },
  ];
  const figure = lineChart(rows, {
    ...{ title: "t", caption: "c", n: 5, origin: { mine: "measured", constructor: "published" } } as const,
    ...{ x: "length", y: "score", xTitle: "x", yTitle: "y", series: "model" } as const,
    runs: { mine: "a/b" },
  });
  const hrefOf = (view: string): string | undefined => view.endsWith("4096") ? `#${view}` : undefined;
  const html = (await figureHtml(figure.pageSpec(), hrefOf))!;
  const links = [...html.matchAll(/<a href="([^"]*)"><path[^>]*><title>([^<]*)<\/title><\/path><\/a>/g)];
  // In the picture for a phone, and in that for a wider page.
  const [, href, title] = links[0]!;
  equal(links.length, 2);
  equal(href, "#run=a%2Fb&amp;task=vt&amp;length=4096");
  match(title!, /^mine, 4K: 50$/);
  equal(html.match(/<a /g)!.length, 2);
  const plain = await picturesOf(() => figure);
  for (const svg of plain.values()) ok(!svg.includes("<a "));
  ok(!(await figure.svg()).includes("<a "));
});

Deno.test("a reader of a notebook can zoom into continuous axes, each panel on its own; pictures do not change", async () => {
  const zoomsOf = (spec: object): readonly unknown[] =>
    (spec as { params: readonly { name: string }[] }).params.filter(({ name }) => name.startsWith("zoom"));
  const lines = smallLines();
  const select = { type: "interval", encodings: ["x", "y"], zoom: "wheel![event.ctrlKey || event.altKey]" };
  deepEqual(zoomsOf(lines.pageSpec()), [{ name: "zoom_points", select, bind: "scales", views: ["points"] }]);
  deepEqual(zoomsOf(lines.spec), []);
  deepEqual(zoomsOf(smallBars().pageSpec()), []);
  const both = panels([lines, lines], { title: "t", caption: "c" }).pageSpec();
  deepEqual(zoomsOf(both).map((each) => Object(each).views), [["points0"], ["points1"]]);
  for (const svg of (await picturesOf(smallLines)).values()) ok(!svg.includes("clip-path"));
});
