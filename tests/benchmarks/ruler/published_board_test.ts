import { deepEqual, equal, ok } from "node:assert/strict";
import { leaderboard, openPublished, publishedBoard, settledLengths } from "@/lib/benchmarks/ruler/mod.ts";

const { rows } = await openPublished();
const printed = rows.filter(({ edition, threshold }) => edition === "v1" && threshold !== null);

Deno.test("publishedBoard() finds the effective lengths that leaderboard() does, by each table's own threshold", () => {
  deepEqual(
    publishedBoard(printed).map(({ found }) => found),
    leaderboard(printed).map(({ effectiveLength }) => effectiveLength),
  );
});

Deno.test("publishedBoard() takes another threshold for all rows, and leaves out those without any", () => {
  const without = { ...printed[0]!, threshold: null };
  deepEqual(publishedBoard([without]), []);
  equal(publishedBoard([without], { threshold: { share: 0.85 } }).length, 1);
});

Deno.test("publishedBoard() settles Command-R's 32K by its categories, which its mean alone does not", () => {
  const commandR = printed.filter(({ table, model }) => table === 3 && model.startsWith("Command-R"));
  const [alone] = publishedBoard(commandR);
  const [known] = publishedBoard(commandR, { beside: rows });
  deepEqual([alone!.found, alone!.isSettled, known!.found, known!.isSettled], ["32K", false, "32K", true]);
});

Deno.test("settledLengths() counts each printed effective length once, table by table", () => {
  const counts = settledLengths(rows, "v1");
  equal(counts.reduce((sum, { lengths }) => sum + lengths, 0), printed.length);
  equal(
    counts.reduce((sum, { settled }) => sum + settled, 0),
    publishedBoard(printed, { beside: rows }).filter(({ isSettled }) => isSettled).length,
  );
  deepEqual(counts.map(({ table, lengths, settled }) => [table, lengths, settled]), [
    [3, 10, 9],
    [12, 7, 6],
    [13, 17, 16],
    [14, 17, 15],
    [15, 17, 15],
    [16, 17, 8],
  ]);
  ok(counts.every(({ settled, lengths, least }) => settled <= lengths && least >= 0 && least <= 100));
});
