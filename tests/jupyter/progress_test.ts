import { equal } from "node:assert/strict";
import { formatTime, progressLine, remainingTime, shareIn } from "@/lib/jupyter/progress.ts";

Deno.test.each(
  [[0, "0:00"], [59_499, "0:59"], [59_500, "1:00"], [3_600_000, "1:00:00"], [45_296_000, "12:34:56"]] as [
    number,
    string,
  ][],
)(
  "formatTime() writes %s ms",
  (milliseconds, text) => equal(formatTime(milliseconds), text),
);

Deno.test("progressLine() says nothing of the time left where nothing is known", () => {
  equal(progressLine({ label: "01-a", done: 0, total: 9, elapsedMs: 1000 }), "01-a  0/9  0:01");
});

Deno.test("remainingTime() goes by the last run where there was one", () => {
  equal(remainingTime({ tookMs: [10], total: 3, lastMs: [10, 500, 200], currentMs: 100 }), 600);
});

Deno.test("remainingTime() goes by the mean of the steps done where there was no last run", () => {
  equal(remainingTime({ tookMs: [100, 300], total: 4, lastMs: [], currentMs: 50 }), 350);
});

Deno.test("remainingTime() ignores a last run of another number of steps", () => {
  equal(remainingTime({ tookMs: [100], total: 2, lastMs: [5000], currentMs: 0 }), 100);
});

Deno.test("remainingTime() believes the share that the step at hand says is done", () => {
  equal(remainingTime({ tookMs: [], total: 2, lastMs: [1000, 50], currentMs: 3000, share: 0.75 }), 1050);
});

Deno.test("remainingTime() claims nothing once a step has run longer than it should", () => {
  equal(remainingTime({ tookMs: [100], total: 3, lastMs: [], currentMs: 101 }), undefined);
  equal(remainingTime({ tookMs: [], total: 3, lastMs: [], currentMs: 0 }), undefined);
});

Deno.test.each(
  [["7 of 9", undefined], ["250%", undefined], ["0% · 0 of 9", 0], ["99.5 % done", 0.995]] as [
    string,
    number | undefined,
  ][],
)(
  "shareIn() reads %s",
  (line, share) => equal(shareIn(line), share),
);
