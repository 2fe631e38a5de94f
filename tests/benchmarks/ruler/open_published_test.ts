import { equal, rejects } from "node:assert/strict";
import { openPublished } from "@/lib/benchmarks/ruler/mod.ts";

Deno.test("openPublished() reads the files of data/published", async () => {
  const { rows } = await openPublished();
  equal(rows.length, 319);
});

Deno.test("openPublished() names a file that is missing", async () => {
  const folder = new URL("../../analysis/published/none/", import.meta.url);
  await rejects(() => openPublished(folder), {
    name: "Error",
    message:
      `Cannot open the published tables as ruler_scores_long.csv must be there: there is none in ${folder.pathname}`,
  });
});
