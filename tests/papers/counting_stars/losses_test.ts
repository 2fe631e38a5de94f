import { deepEqual, equal, match, ok } from "node:assert/strict";
import { panelsOnce, starAnswer, starLossChart, starLosses, starsByThird } from "@/lib/papers/counting_stars/losses.ts";
import {
  firstRuns,
  openStars,
  type StarEvidence,
  type StarPanel,
  starPanels,
} from "@/lib/papers/counting_stars/published.ts";
import type { RunReply } from "@/lib/statistics/mod.ts";

const published = await openStars();

Deno.test.each(
  // Counted by hand from the bits: lost stars, and percent in the first, middle and last third.
  [
    ["stone_16_32", "GPT-4", 18, [89, 6, 6], "first"],
    ["stone_32_32", "GPT-4", 33, [33, 58, 9], "middle"],
    ["stone_32_16", "GPT-4", 11, [9, 82, 9], "middle"],
    ["stone_32_32", "Kimi", 139, [5, 29, 66], "last"],
    ["west_16_32", "Kimi", 27, [0, 7, 93], "last"],
    ["west_16_32", "GPT-4", 8, [50, 0, 50], null],
    ["en_32_32", "Kimi", 107, [33, 47, 21], "middle"],
  ] as [string, string, number, number[], string | null][],
)("starLosses() of %s by %s", (figure, model, errors, thirds, most) => {
  const found = starLosses(starPanels(published, [figure]).filter((panel) => panel.model.startsWith(model)));
  equal(found.lost, errors);
  deepEqual([found.first, found.middle, found.last].map((count) => Math.round(100 * count / errors)), thirds);
  equal(found.most, most);
});

Deno.test("starLosses() pools matrices: 52.2% of the lost stars are in the last third if each setting counts once", () => {
  const { last, lost } = starLosses(starPanels(firstRuns(published)));
  deepEqual([last, lost], [1335, 2558]);
  const all = starLosses(starPanels(published.filter(({ knobs }) => knobs["edition"] === "v1")));
  deepEqual([all.last, all.lost], [1620, 2926]);
});

Deno.test("panelsOnce() has the 20 settings of the first text and the 6 figures of the later edition, named differently", () => {
  const names = panelsOnce(published).map(({ model }) => model);
  equal(new Set(names).size, 26);
  deepEqual([names[0], names.at(-1)], ["(16-32) GPT-4, Stone", "Gemini 1.5 Pro, reasoning"]);
});

Deno.test("starLossChart() draws each matrix, one without a loss too", async () => {
  const whole: StarPanel = { model: "none lost", columns: [{ length: 4000, cells: [1, 1, 1] }] };
  const figure = starLossChart([...panelsOnce(published), whole]);
  match(figure.note, /0 to 540 lost stars a matrix/);
  match(await figure.svg(), /none lost/);
});

Deno.test("starAnswer() says what the numbers say, and something else of other numbers", () => {
  match(
    starAnswer(published),
    /^It depends on the edition of .*: in the first, most stars are lost in the last third .* one in the middle third\. /,
  );
  match(
    starAnswer(published),
    /the last third has 52% .* GPT-4 loses most in the middle third, Kimi in the last third\./,
  );
  match(starAnswer(published), /the middle third loses most in all 6 matrices\.$/);
  const [first] = firstRuns(published, "v3");
  const change = (row: StarEvidence): Partial<StarEvidence> => {
    if (row.knobs["edition"] === "v1") return { cells: row.cells?.toReversed() ?? null };
    if (row.source === first!.source && row.model === first!.model) return { cells: [1, 1, 0] };
    return {};
  };
  const other = starAnswer(published.map((row) => ({ ...row, ...change(row) })));
  match(other, /^It depends on the edition of Counting-Stars: in the first, most stars are lost in the first third /);
  match(
    other,
    /the first third has 5\d% .*, Kimi in the first third\..*the middle third loses most in 5 of 6 matrices\.$/,
  );
});

/** So many replies that each find these stars. */
function reply(cells: readonly number[], task = "search"): RunReply {
  const record = { index: 0, seed: "1" };
  return { task, length: 4096, value: 0.5, failed: false, noAnswer: false, record, score: { value: 0.5, cells } };
}

Deno.test("starsByThird() gives the share found in each third of the text", () => {
  // Of four stars two are in the first third, as floor(3 (i - 1) / 4) is 0, 0, 1, 2.
  const rows = starsByThird([reply([1, 0, 1, 0.5])]);
  deepEqual(rows.map(({ value }) => value), [0.5, 1, 0.5]);
  ok(rows.every(({ depth }, at) => Math.floor(3 * depth) === at));
});

Deno.test("starsByThird() counts a sample once, however often it was asked, and leaves out two stars and other benchmarks", () => {
  const again = { ...reply([1, 1, 1]), record: { index: 0, seed: "1", repeat: 1 } };
  deepEqual(starsByThird([reply([1, 0, 1]), again]).map(({ value }) => value), [1, 0.5, 1]);
  deepEqual(starsByThird([reply([1, 1]), { ...reply([]), score: { value: 1 } }, { ...reply([]), score: null }]), []);
});
