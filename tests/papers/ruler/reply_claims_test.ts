import { ABLATION_CLAIMS } from "@/lib/papers/ruler/ablation_claims.ts";
import { type AblationEvidence, COPYING_CLAIMS, type CopyingModel } from "@/lib/papers/ruler/reply_claims.ts";
import { checkClaims, type CheckedClaim } from "@/lib/statistics/mod.ts";
import type { ExplainedReply, FailureClass, FailureMode } from "@/lib/statistics/failures/mod.ts";
import { deepEqual, equal, match, ok } from "node:assert/strict";

const [SHORT, LONG] = [4096, 131_072];

interface Replies {
  readonly of?: number;
  readonly length?: number;
  readonly task?: string;
}

/** A class of failures, or what was copied. */
type Shown = Exclude<FailureClass, "copied"> | "example" | "context";

function modeOf(name: Shown): FailureMode {
  if (name !== "example" && name !== "context") return { class: name, why: "", evidence: [] };
  return { class: "copied", why: "", evidence: [{ given: "", kind: name }] };
}

/** Wrong replies to a task at a length; `shown` of them fail in the given way and the others in another. */
function replies(
  shown: number,
  name: Shown,
  { of = 100, length = LONG, task = "cwe" }: Replies = {},
): ExplainedReply[] {
  return Array.from({ length: of }, (_, at): ExplainedReply => ({
    ...{ task, length, value: 0, failed: false },
    modes: [at < shown ? modeOf(name) : modeOf("other answer")],
  }));
}

function own(evidence: Partial<AblationEvidence>, id: string): CheckedClaim {
  return checkClaims(ABLATION_CLAIMS, { lines: [], replies: [], ...evidence }).find((claim) => claim.id === id)!;
}

function ofModels(models: readonly CopyingModel[], id: string): CheckedClaim {
  return checkClaims(COPYING_CLAIMS, models).find((claim) => claim.id === id)!;
}

function line(panel: string, series: string, score: number): AblationEvidence["lines"][number] {
  return { panel, series, points: [{ length: SHORT, score, low: score - 3, high: score + 3 }] };
}

Deno.test("copying is most notable in tracking and common words where other tasks copy less than each", () => {
  const found = (needles: number) =>
    own({
      replies: [
        ...replies(60, "example", { task: "vt" }),
        ...replies(80, "example"),
        ...replies(0, "example", { length: SHORT }),
        ...replies(needles, "context", { task: "niah_single_1" }),
      ],
    }, "R17-tasks").verdict;
  deepEqual([found(5), found(90), found(60)], ["holds", "fails", "cannot tell"]);
  match(own({ replies: replies(80, "example") }, "R17-tasks").observed, /Not all of them were asked/);
});

Deno.test("empty replies and other chains are counted among the wrong replies to tracking that copy nothing", () => {
  const found = (shown: number) =>
    own({
      replies: [
        ...replies(shown, "distractor", { task: "vt_2_chains" }),
        ...replies(100, "example", { task: "vt" }),
      ],
    }, "R19-errors");
  deepEqual([found(80), found(20), found(50)].map(({ verdict }) => verdict), ["holds", "fails", "cannot tell"]);
  match(found(80).observed, /80 of 100 replies/);
});

Deno.test("closed-book answers are counted at the longest length, if closed books were asked", () => {
  const lines = [line("qa without context", "SQuAD w/o context", 28.8)];
  const asked = [
    ...replies(20, "prior knowledge", { task: "qa_2" }),
    ...replies(0, "prior knowledge", { task: "qa_2", length: SHORT }),
  ];
  equal(own({ lines, replies: asked }, "R21-replies").verdict, "holds");
  equal(own({ lines, replies: replies(0, "empty", { task: "qa_1" }) }, "R21-replies").verdict, "fails");
  match(own({ replies: asked }, "R21-replies").observed, /not asked without context/);
});

Deno.test("what is known of the synthetic world is compared with 30.2, what is known of SQuAD is not", () => {
  const lines = (score: number) => [line("qa without context", "SQuAD w/o context", score)];
  deepEqual(
    [0, 60, 30].map((score) => own({ lines: lines(score) }, "R35").verdict),
    ["holds", "fails", "cannot tell"],
  );
  const real = own({ lines: lines(0), realQuestions: true }, "R35");
  equal(real.verdict, "cannot tell");
  match(real.observed, /These are SQuAD's and HotpotQA's/);
});

Deno.test("models that copy are left out where errors of those that do not are counted", () => {
  const copies = [...replies(90, "example"), ...replies(0, "empty", { task: "vt" })];
  const not = [...replies(0, "example"), ...replies(40, "distractor", { task: "vt" })];
  const models = [{ model: "yi", replies: copies }, { model: "mixtral", replies: not }];
  const found = ofModels(models, "R19-frequent");
  equal(found.verdict, "holds");
  match(found.observed, /^mixtral: 40 of 100/);
  match(ofModels([{ model: "yi", replies: copies }], "R19-frequent").observed, /Every model that was asked copies/);
});

Deno.test("frequent English words are Mistral's if its name has that word, and grow with the length", () => {
  const grown = [...replies(2, "prior knowledge", { length: SHORT }), ...replies(60, "prior knowledge")];
  const found = (model: string) =>
    ["R33", "R33-mistral"].map((id) => ofModels([{ model, replies: grown }], id).verdict);
  deepEqual(found("sim:mistral"), ["holds", "holds"]);
  deepEqual(found("sim:mixtral"), ["holds", "cannot tell"]);
  const never = [{ model: "Mistral-7B", replies: replies(0, "prior knowledge") }];
  equal(ofModels(never, "R33-mistral").verdict, "fails");
  match(ofModels(never, "R33").observed, /not asked at two lengths/);
});

Deno.test("a behaviour grows across models if it does in two of them", () => {
  const model = (name: string, from: number, to: number): CopyingModel => ({
    model: name,
    replies: [...replies(from, "context", { length: SHORT }), ...replies(to, "context")],
  });
  const [grows, stays] = [model("a", 0, 50), model("b", 30, 10)];
  const found = (...models: CopyingModel[]) => ofModels(models, "R34-copying").verdict;
  deepEqual(
    [found(grows, model("c", 0, 40), stays), found(grows, stays), found(grows), found(grows, model("d", 10, 12))],
    ["holds", "fails", "cannot tell", "cannot tell"],
  );
  const knowledge = [{
    model: "a",
    replies: [...replies(0, "empty", { length: SHORT }), ...replies(9, "prior knowledge")],
  }];
  match(ofModels(knowledge, "R34-knowledge").observed, /a 9\.0 .* One model is no evidence about several/);
});

Deno.test("claims about replies are open if replies are unknown, without NaN", () => {
  const rows = [
    ...checkClaims(ABLATION_CLAIMS, { lines: [], replies: null }),
    ...checkClaims(COPYING_CLAIMS, [{ model: "Yi", replies: [] }]),
    ...checkClaims(COPYING_CLAIMS, []),
  ];
  for (const { id, verdict, observed } of rows) {
    equal(verdict, "cannot tell", id);
    ok(observed.length > 10 && !/NaN|Infinity|undefined/.test(observed), `${id}: ${observed}`);
  }
});

/** Replies to tasks with a worked example at a length, of which some copy it. */
function copyingReplies(copies: number, { of, length = 131_072 }: { of: number; length?: number }): ExplainedReply[] {
  return Array.from({ length: of }, (_, at) => ({
    ...{ task: at % 2 === 0 ? "cwe" : "vt_2_chains", length, value: 0, failed: false },
    modes: at < copies ? [modeOf("example")] : [],
  }));
}

function copyVerdicts(models: readonly CopyingModel[]): string[] {
  return ["R17-lwm", "R17-longalpaca", "R17-mixtral"].map((id) => ofModels(models, id).verdict);
}

Deno.test("claims on copying hold if LWM and LongAlpaca copy the example at the longest length, and Mixtral hardly does", () => {
  const short = copyingReplies(0, { of: 50, length: 4096 });
  const models = [
    { model: "sim:lwm", replies: [...short, ...copyingReplies(40, { of: 50 })] },
    { model: "LongAlpaca-13B", replies: copyingReplies(45, { of: 50 }) },
    { model: "mixtral-8x7b", replies: copyingReplies(1, { of: 50 }) },
  ];
  deepEqual(copyVerdicts(models), ["holds", "holds", "holds"]);
});

Deno.test("claims on copying fail if LWM never copies and Mixtral copies more", () => {
  const models = [
    { model: "LWM", replies: copyingReplies(0, { of: 200 }) },
    { model: "Mixtral", replies: copyingReplies(90, { of: 100 }) },
  ];
  deepEqual(copyVerdicts(models), ["fails", "cannot tell", "fails"]);
});

Deno.test("claims on copying are open for few replies, and for models and tasks that were not asked", () => {
  const few = ["lwm", "mixtral"].map((model) => ({ model, replies: copyingReplies(0, { of: 2 }) }));
  deepEqual(copyVerdicts(few), ["cannot tell", "cannot tell", "cannot tell"]);
  const without = copyingReplies(9, { of: 9 }).map((reply) => ({ ...reply, task: "cwe_no_example" }));
  match(ofModels([{ model: "lwm", replies: without }], "R17-lwm").observed, /There is no such reply/);
  match(ofModels([{ model: "lwm", replies: without }], "R17-longalpaca").observed, /LongAlpaca was not asked/);
  match(
    ofModels([{ model: "mixtral", replies: copyingReplies(0, { of: 50 }) }], "R17-mixtral").observed,
    /No model that copies/,
  );
  match(ofModels([], "R17-lwm").observed, /were not published/);
});
