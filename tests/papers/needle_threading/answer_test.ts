import { equal, match } from "node:assert/strict";
import { threadingAnswer } from "@/lib/papers/needle_threading/answer.ts";
import { openThreadingPublished } from "@/lib/papers/needle_threading/published.ts";

const published = await openThreadingPublished();

Deno.test("threadingAnswer() gives the published limit of threads, the shortest haystack, and the verdicts", () => {
  const verdicts = ["holds", "holds", "cannot tell"] as const;
  equal(
    threadingAnswer(published, verdicts.map((verdict) => ({ verdict }))),
    "No published model follows a thread through more than 3% of the context that it accepts. In the shortest haystack the models " +
      "find a single value in 96 to 100% of prompts, and the end of a thread in 6 to 78%. Of 3 statements of the paper, its own " +
      "numbers support 2, contradict none and leave 1 open.",
  );
});

Deno.test("threadingAnswer() follows other numbers", () => {
  const limits = published.limits.map((row) => ({ ...row, percent: 40 }));
  const scores = published.scores.map((row) => ({ ...row, score: row.task === "threading" ? 50 : 90 }));
  const answer = threadingAnswer({ limits, scores }, [{ verdict: "fails" }, { verdict: "mostly holds" }]);
  match(answer, /more than 40% .* a single value in 90% of prompts, and the end of a thread in 50%/);
  match(answer, /Of 2 statements of the paper, its own numbers support 1, contradict 1 and leave none open\.$/);
});
