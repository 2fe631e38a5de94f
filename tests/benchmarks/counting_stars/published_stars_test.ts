import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { openStarsPublished } from "@/lib/benchmarks/counting_stars/mod.ts";
import {
  readStarsPublished,
  STAR_FILES,
  starAccuracy,
  type StarTexts,
} from "@/lib/benchmarks/counting_stars/published.ts";

const published = await openStarsPublished();
const FOLDER = new URL("../../../data/published/", import.meta.url);

function readTexts(changes: Partial<StarTexts> = {}): StarTexts {
  const texts = STAR_FILES.map((file) => [file, Deno.readTextFileSync(new URL(file, FOLDER))]);
  return { ...Object.fromEntries(texts) as StarTexts, ...changes };
}

Deno.test("openStarsPublished() reads 24 panels, 736 columns, 96 replies and 1,024 counts", () => {
  equal(published.panels.length, 24);
  equal(published.panels.flatMap(({ columns }) => columns).length, 736);
  equal(published.replies.length, 96);
  equal(published.values.length, 1024);
  equal(published.tasks.length, 6);
  deepEqual(published.tasks.map(({ columns }) => columns.length), Array(6).fill(32));
});

Deno.test("openStarsPublished() reads the same bits in figures and replies", () => {
  for (const { figure, model, length, cells } of published.replies) {
    const panel = published.panels.find((candidate) => candidate.figure === figure && candidate.model === model)!;
    deepEqual(panel.columns.find((column) => column.length === length)!.cells, cells);
  }
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

Deno.test("readStarsPublished() refuses a column that is not there, a cell that is no bit and a panel that lacks columns", () => {
  const cells = readTexts()["counting_stars_v1_cells.csv"];
  const refuses = (text: string, message: RegExp): void => {
    throws(() => readStarsPublished(readTexts({ "counting_stars_v1_cells.csv": text })), {
      name: "SyntaxError",
      message,
    });
  };
  refuses(cells.replace("bits_star1_to_M", "bits"), /line 1 must have the column "bits_star1_to_M"/);
  refuses(
    cells.replace("1111111111111111\n", "111111111111111x\n"),
    /line 2, column "bits_star1_to_M" must be digits 0 and 1/,
  );
  refuses(
    cells.split("\n").toSpliced(1, 1).join("\n"),
    /Cannot join cells and titles as stone_16_32 of GPT-4 Turbo .* must have 32 columns of 16 stars: current value is 31 columns/,
  );
});
