import { deepEqual, match } from "node:assert/strict";
import { COPYING_CLAIMS, openPublished, publishedCopying, TOP_MODEL_CLAIMS } from "@/lib/papers/ruler/mod.ts";
import { checkClaims } from "@/lib/statistics/mod.ts";
import type { ExplainedReply } from "@/lib/statistics/failures/mod.ts";

const published = await openPublished();

/** Replies to common words at a length, of which some copy the worked example. */
function replies(copies: number, { of, length = 131_072 }: { of: number; length?: number }): ExplainedReply[] {
  return Array.from({ length: of }, (_, at) => ({
    ...{ task: at % 2 === 0 ? "cwe" : "vt_2_chains", length, value: 0, failed: false },
    modes: at < copies ? [{ class: "example copied", why: "", evidence: [] }] : [],
  }));
}

function verdicts(models: Parameters<typeof COPYING_CLAIMS[number]["check"]>[0]): string[] {
  return checkClaims(COPYING_CLAIMS, models).slice(0, 3).map(({ verdict }) => verdict);
}

Deno.test("COPYING_CLAIMS hold where LWM and LongAlpaca copy the example at the longest length, and Mixtral hardly does", () => {
  const short = replies(0, { of: 50, length: 4096 });
  deepEqual(
    verdicts([
      { model: "sim:lwm", replies: [...short, ...replies(40, { of: 50 })] },
      { model: "LongAlpaca-13B", replies: replies(45, { of: 50 }) },
      { model: "mixtral-8x7b", replies: replies(1, { of: 50 }) },
    ]),
    ["holds", "holds", "holds"],
  );
});

Deno.test("COPYING_CLAIMS fail where LWM never copies and Mixtral copies more", () => {
  const models = [{ model: "LWM", replies: replies(0, { of: 200 }) }, {
    model: "Mixtral",
    replies: replies(90, { of: 100 }),
  }];
  deepEqual(verdicts(models), ["fails", "cannot tell", "fails"]);
});

Deno.test("COPYING_CLAIMS are open for few replies, other models and tasks without an example, with a reason", () => {
  deepEqual(
    verdicts([{ model: "lwm", replies: replies(0, { of: 2 }) }, { model: "mixtral", replies: replies(0, { of: 2 }) }]),
    [
      "cannot tell",
      "cannot tell",
      "cannot tell",
    ],
  );
  const without = replies(9, { of: 9 }).map((reply) => ({ ...reply, task: "cwe_no_example" }));
  const [lwm, longAlpaca] = checkClaims(COPYING_CLAIMS, [{ model: "lwm", replies: without }]);
  match(lwm!.observed, /No reply to a task with a worked example is known/);
  match(longAlpaca!.observed, /LongAlpaca was not asked/);
});

Deno.test("COPYING_CLAIMS bound the copies by the printed scores", () => {
  // Table 15 at 32K: Mixtral 69.9, the mean of two tasks, so that one of them scores at least 39.8.
  const [, , mixtral] = checkClaims(COPYING_CLAIMS, publishedCopying(published));
  match(mixtral!.observed, /at most 60% of Mixtral's, 49% of Yi's, 100% of LWM's, 100% of LongAlpaca's/);
});

Deno.test("TOP_MODEL_CLAIMS compare the sizes of Table 4 by the ranks of Table 3", () => {
  const found = Object.fromEntries(checkClaims(TOP_MODEL_CLAIMS, published).map(({ id, observed }) => [id, observed]));
  match(found["R32"]!, /Command-R 35\.0, Yi 34\.0, Mixtral 56\.0; the largest of the 6 others is LongAlpaca with 13/);
  match(found["R32-active"]!, /Mixtral has 1\.0 times as many/);
  match(found["R32-rope"]!, /LWM-1M has one of 50 million .* ranks 5 and 7 of ten/);
});
