import { equal, match } from "node:assert/strict";
import {
  errorPlaces,
  errorPlacesTable,
  openStarsPublished,
  pickStarPanels,
  starChanges,
  starChangeTable,
  starErrorTable,
} from "@/lib/benchmarks/counting_stars/mod.ts";

const published = await openStarsPublished();
const panels = pickStarPanels(published, ["stone_32_32"]);
const FROM = { origin: "published", n: "one reply a column" } as const;

Deno.test("errorPlacesTable() writes thirds in percent, and dashes where nothing is lost", () => {
  const whole = errorPlaces({ model: "whole", columns: [{ length: 1, cells: [1] }] });
  const { text } = errorPlacesTable([errorPlaces(panels[0]!), whole], { title: "Lost", ...FROM });
  // GPT-4's (32-32) panel: 33 errors, 58% of them in the middle third, star 13 with 55%.
  match(text, /GPT-4, Stone +33 +33 +58 +9 +13 +55/);
  match(text, /whole +0 +– +– +– +– +–/);
});

Deno.test("starChangeTable() has a row for each change and model, with intervals", () => {
  const changes = starChanges(published, "t");
  equal(changes.length, 12);
  match(
    starChangeTable(changes, { title: "Changes", ...FROM }).text,
    /increasing less shuffled counts +GPT-4 +32 +0\.275 \[0\.\d{3}, 0\.\d{3}\] +0\.0005/,
  );
});

Deno.test("starErrorTable() has a column for each fault and cause", () => {
  const row = {
    ...{ task: "t", replies: 9, unreadable: 1, repaired: 2, unordered: 3, inventing: 4, running: 5, tailless: 6 },
    ...{ notFound: 7, notRemembered: 8, summedWrongly: 0, unclear: 9 },
  };
  const { text } = starErrorTable([row], { title: "Faults", origin: "simulated", n: 9 });
  match(text, /t +9 +1 +2 +3 +4 +5 +6 +7 +8 +0 +9/);
  match(text, /Simulated/);
});
