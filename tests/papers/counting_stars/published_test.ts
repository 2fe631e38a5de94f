import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { firstRuns, openStarsPublished, panelOf, pickStarPanels } from "@/lib/papers/counting_stars/published.ts";
import { starAccuracy } from "@/lib/papers/counting_stars/published.ts";

const published = await openStarsPublished();

const FOLDER = new URL("../../../data/published/", import.meta.url);

Deno.test("openStarsPublished() reads 24 panels of 736 columns, and 6 of 32", () => {
  equal(published.panels.length, 24);
  equal(published.panels.flatMap(({ columns }) => columns).length, 736);
  equal(published.tasks.length, 6);
  deepEqual(published.tasks.map(({ columns }) => columns.length), Array(6).fill(32));
});

Deno.test("openStarsPublished() reads a table of models whose means are those of their four tasks, to 0.001", () => {
  const whole = published.leaders.filter(({ average }) => average !== null);
  equal(whole.length, 6);
  for (const { model, acquisitionZh, acquisitionEn, reasoningZh, reasoningEn, average } of whole) {
    const mean = (acquisitionZh! + acquisitionEn! + reasoningZh! + reasoningEn!) / 4;
    ok(Math.abs(mean - average!) <= 0.001, `${model} ${mean} ${average}`);
  }
});

Deno.test("openStarsPublished() reads third-edition figures that agree with the table of models, to 0.001", () => {
  const printed: Readonly<Record<string, readonly [number, number]>> = {
    "GPT-4 Turbo": [0.697, 0.473],
    "Gemini 1.5 Pro": [0.775, 0.575],
    "Claude3 Opus": [0.807, 0.488],
  };
  for (const panel of published.tasks) {
    const wanted = printed[panel.model]![panel.task === "acquisition" ? 0 : 1];
    ok(Math.abs(starAccuracy(panel) - wanted) <= 0.001, `${panel.model} ${panel.task}: ${starAccuracy(panel)}`);
  }
});

Deno.test("openStarsPublished() refuses a missing column, a cell that is no bit and a panel that lacks columns", async () => {
  const folder = await Deno.makeTempDir();
  const refuses = async (change: (text: string) => string, message: RegExp): Promise<void> => {
    for (const { name } of Deno.readDirSync(FOLDER)) {
      if (name.startsWith("counting_stars_")) await Deno.copyFile(new URL(name, FOLDER), `${folder}/${name}`);
    }
    const cells = `${folder}/counting_stars_v1_cells.csv`;
    await Deno.writeTextFile(cells, change(await Deno.readTextFile(cells)));
    await rejects(openStarsPublished(new URL(`file://${folder}/`)), { name: "SyntaxError", message });
  };
  try {
    await refuses(
      (text) => text.replace("bits_star1_to_M", "bits"),
      /line 1 must have the column "bits_star1_to_M"/,
    );
    await refuses(
      (text) => text.replace("1111111111111111\n", "111111111111111x\n"),
      /line 2, column "bits_star1_to_M" must be digits 0 and 1/,
    );
    await refuses(
      (text) => text.split("\n").toSpliced(1, 1).join("\n"),
      /Cannot join cells and titles as stone_16_32 of GPT-4 Turbo .* must have 32 columns of 16 stars: current value is 31 columns/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("pickStarPanels() names every two panels of one M and N differently", () => {
  const names = pickStarPanels(published).map(({ stars, lengths, model }) => `(${stars}-${lengths}) ${model}`);
  equal(new Set(names).size, 24);
});

Deno.test.each(
  [
    ["west_32_32_temperature", "GPT-4, West, T = 1"],
    ["west_32_32_v2", "GPT-4, West, run 2"],
    ["en_32_32", "GPT-4, English"],
  ] as [string, string][],
)("pickStarPanels() names %s %s", (figure, name) => {
  equal(pickStarPanels(published, [figure])[0]!.model, name);
});

Deno.test("starAccuracy() gives the accuracy in the title of each of the 24 published panels, to three decimals", () => {
  for (const panel of published.panels) {
    // Half a unit of the last place, and what binary numbers add to it.
    equal(Math.abs(starAccuracy(panel) - panel.printed) < 0.0005 + 1e-9, true, `${panel.figure} ${panel.model}`);
  }
});

Deno.test("firstRuns() leaves out the second and third run of the version that was run three times", () => {
  const once = firstRuns(published.panels);
  equal(once.length, 20);
  equal(once.includes(panelOf(published, "west_32_32_v1", "Kimi")), true);
  equal(once.includes(panelOf(published, "west_32_32_v2", "Kimi")), false);
});
