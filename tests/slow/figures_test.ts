import { deepEqual } from "node:assert/strict";
import { withPage } from "../e2e/_browser.ts";
import { findChromium, testWith } from "../e2e/_project.ts";
import { findTextFaults } from "../e2e/_text_boxes.ts";
import { FIGURES } from "../figures/_figures.ts";
import { figureHtml } from "@/lib/figures/mod.ts";

const tools = { chromium: findChromium() };
const notebooks = new URL("../../notebooks/", import.meta.url);
const committed = new URL("../../results/figures/", import.meta.url);

/** Inter comes with the project; the others are those of a plain Linux, narrow and wide. */
const FAMILIES = ["Inter", "DejaVu Sans Condensed", "DejaVu Sans"];

/** The pictures of the figures of every committed notebook, for a phone and for a wider page. */
async function pagePictures(): Promise<{ readonly name: string; readonly svg: string }[]> {
  const pictures: { name: string; svg: string }[] = [];
  for (const { name } of Deno.readDirSync(notebooks)) {
    if (!name.endsWith(".ipynb")) continue;
    const { cells } = JSON.parse(await Deno.readTextFile(new URL(name, notebooks)));
    for (const { outputs = [] } of cells) {
      for (const { data } of outputs) {
        const spec = data?.["application/vnd.vegalite.v5+json"];
        const html = spec === undefined ? undefined : await figureHtml(spec);
        const svgs = [...html?.matchAll(/<svg xmlns.*?<\/svg>(?=<\/div>)/gs) ?? []];
        pictures.push(...svgs.map(([svg], at) => ({ name: `${name}, ${spec.title.text} (${at})`, svg })));
      }
    }
  }
  return pictures;
}

const interFaces = [["400", "400Regular/Inter_400Regular"], ["600", "600SemiBold/Inter_600SemiBold"]].map((
  [weight, file],
) =>
  `@font-face { font-family: Inter; font-weight: ${weight}; src: url(${
    import.meta.resolve(`@expo-google-fonts/inter/${file}.ttf`)
  }); }`
).join("\n");

testWith(
  tools,
  "every figure is whole in narrow, usual and wide fonts: no text is cut off or lies over another",
  async ({ chromium }) => {
    const figures = [
      ...await Promise.all(FIGURES.map(async ([name, make]) => ({ name, svg: await make().svg() }))),
      ...await Promise.all(
        [...Deno.readDirSync(committed)].filter(({ name }) => name.endsWith(".svg"))
          .map(async ({ name }) => ({ name, svg: await Deno.readTextFile(new URL(name, committed)) })),
      ),
    ];
    figures.push(...await pagePictures());
    const page = `${await Deno.makeTempDir()}/figure.html`;
    const faults: string[] = [];
    await withPage(chromium, async ({ page: tab }) => {
      for (const { name, svg } of figures) {
        for (const family of FAMILIES) {
          const drawn = svg.replace(/ font-family="[^"]*"/, ` font-family="${family}, sans-serif"`);
          await Deno.writeTextFile(page, `<!DOCTYPE html><style>${interFaces} body { margin: 0 }</style>${drawn}`);
          await tab.goto(`file://${page}`);
          await tab.evaluate("document.fonts.ready");
          const found = await findTextFaults(tab, { slack: 1 });
          faults.push(
            ...found.map(({ text, other, by }) =>
              `${name} in ${family}: "${text}" ${other === undefined ? "is cut off" : `lies over "${other}"`} by ${
                by.toFixed(1)
              }`
            ),
          );
        }
      }
    }, true);
    deepEqual(faults, []);
  },
);
