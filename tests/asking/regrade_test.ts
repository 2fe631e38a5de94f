import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { chatReply, errorReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { withFolder } from "./_fakes.ts";
import { answerAsSecondModel } from "../serve/second_model.ts";
import { serveSimulated } from "../serve/serve_command.ts";
import { PLAIN_TEMPLATE, userText } from "@/lib/generators/mod.ts";
import { type FailureKind, type Model, openEndpoint, type Reply } from "@/lib/models/mod.ts";
import {
  type RegradedReply,
  type RegradeOptions,
  regradeReplies,
  regradeRows,
  regradeTable,
  verdictOrigin,
} from "@/lib/asking/mod.ts";
import { type RunRecord, type ScoredReply, scoreRecords } from "@/lib/records/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";

const NEEDLE = "PistachioAI received a patent before its Series A.";
const QUESTION = "What did PistachioAI receive before its Series A?";

/** Scored replies to one question; `null` is a call that failed. */
function replies(...texts: readonly (string | null)[]): ScoredReply[] {
  const times = { latencyMs: 1, attempts: 1 };
  const failure: FailureKind = "server";
  return scoreRecords(texts.map((text, index) => ({
    ...{ task: "recall_pistachio", length: 1000, index, references: [NEEDLE, QUESTION], scoring: "recall rubric" },
    reply: text === null
      ? { kind: "failure", failure, message: "500", ...times }
      : { kind: "answer", text, finishReason: "stop", ...times },
  } as unknown as RunRecord)));
}

/** A server that judges by what it is told to say of each reply, once or twice. */
function judgeServer(said: Readonly<Record<string, readonly string[]>>): PlayServer {
  const times = new Map<string, number>();
  return playServer(async (request) => {
    const { messages } = await request.json();
    const [, reply = ""] = /Answer\]\n([\s\S]*)\n\[The End/.exec(messages.at(-1).content) ?? [];
    const turn = times.get(reply) ?? 0;
    times.set(reply, turn + 1);
    return chatReply({ content: said[reply]?.[turn] ?? "" });
  });
}

function judgeAt(url: string): ReturnType<typeof openEndpoint> {
  return openEndpoint({ model: "judge", baseUrl: url, attempts: 1 });
}

/** Regrades with a file of verdicts of its own. */
async function regrade(
  scored: readonly ScoredReply[],
  options: Omit<RegradeOptions, "file">,
): Promise<readonly RegradedReply[]> {
  const regraded: RegradedReply[] = [];
  await withFolder(async (folder) => {
    regraded.push(...await regradeReplies(scored, { ...options, file: `${folder}/verdicts.jsonl` }));
  });
  return regraded;
}

Deno.test("regradeReplies() asks a judge over HTTP, unreadable verdicts once more, and leaves unscored what stays unreadable", async () => {
  await using server = judgeServer({
    "A patent.": ["It aligns. Rating: [[5]]"],
    "A grant.": ["Rating: 1", "Rating: [[1]]"],
    "Maybe a patent.": ["I cannot say.", "[[7]]"],
    "": ["Nothing was said. [[1]]"],
    "专利。": ["[[2]]"],
    "I cannot answer that.": ["", ""],
  });
  const scored = replies("A patent.", "A grant.", "Maybe a patent.", null, "", "专利。", "I cannot answer that.");
  const judged = await regrade(scored, { by: "judge", model: judgeAt(server.url), concurrency: 2 });
  deepEqual(judged.map(({ value }) => value), [1, 0.2, null, null, 0.2, 0.4, null]);
  deepEqual(judged.map(({ verdict }) => verdict?.asked ?? null), [1, 2, 2, null, 1, 1, 2]);
  equal(judged[0]!.score!.why, "It aligns. Rating: [[5]]");
  match(judged[2]!.score!.why, /does not hold a grade from 1 to 5/);
  equal(server.received.length, 9);
  const { messages } = server.received[0]!.body as { messages: { role: string; content: string }[] };
  deepEqual(messages.map(({ role }) => role), ["system", "user"]);
  equal(messages[0]!.content, "You are a helpful assistant.");
  ok(messages[1]!.content.includes(`[Ground truth]\n${NEEDLE}\n`));
  const [row] = regradeRows(judged, "judge");
  deepEqual([row!.replies, row!.unread, row!.failed, row!.byModel!.toFixed(6)], [6, 2, 1, "45.000000"]);
});

Deno.test("regradeReplies() gives a judge what the rules score: of a base model, its first answer", async () => {
  await using server = judgeServer({ "A patent.": ["[[5]]"] });
  const rambled = "A patent.\n\nQuestion: What did it receive after it? A grant.";
  const [first] = scoreRecords(replies(rambled).map(({ record }) => record), { scored: "first" });
  const [judged] = await regrade([first!], { by: "judge", model: judgeAt(server.url) });
  deepEqual([judged!.value, judged!.scored, judged!.first?.endedBy], [1, "first", "a new question"]);
  // The whole reply is another question to the judge, which knows no answer to it here.
  const [whole] = await regrade(replies(rambled), { by: "judge", model: judgeAt(server.url) });
  deepEqual([whole!.value, whole!.verdict?.asked], [null, 2]);
});

/** A judge whose verdicts are kept as those of one address, wherever its server is. */
function sameJudge(url: string): ReturnType<typeof openEndpoint> {
  const judge = judgeAt(url);
  return { ...judge, settings: { ...judge.settings, baseUrl: "http://judge.example/v1" } };
}

Deno.test("regradeReplies() keeps verdicts in a file and asks only for those that are missing, a torn line included", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/run/verdicts.jsonl`;
    const scored = replies("A patent.", "A grant.", "None.");
    const judge = async (said: Parameters<typeof judgeServer>[0]): Promise<[(number | null)[], number]> => {
      await using server = judgeServer(said);
      const judged = await regradeReplies(scored, { by: "judge", model: sameJudge(server.url), file, concurrency: 1 });
      return [judged.map(({ value }) => value), server.received.length];
    };
    deepEqual(await judge({ "A patent.": ["[[5]]"], "A grant.": ["?", "?"], "None.": ["[[1]]"] }), [[1, null, 0.2], 4]);
    deepEqual(await judge({ "A grant.": ["[[2]]"] }), [[1, 0.4, 0.2], 1]);
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.slice(0, -20));
    deepEqual(await judge({ "A grant.": ["[[3]]"] }), [[1, 0.6, 0.2], 1]);
    deepEqual(await judge({}), [[1, 0.6, 0.2], 0]);
  });
});

Deno.test("regradeReplies() asks once for equal replies to one question", async () => {
  await using server = judgeServer({ "A patent.": ["[[5]]"] });
  const judged = await regrade(replies("A patent.", "A patent.", "A patent."), {
    by: "judge",
    model: judgeAt(server.url),
  });
  deepEqual(judged.map(({ value }) => value), [1, 1, 1]);
  equal(server.received.length, 1);
});

Deno.test("regradeReplies() refuses a judge that cannot be asked at all, and asks on no more", async () => {
  await using server = playServer(errorReply(401, { message: "wrong key" }));
  const model = openEndpoint({ model: "judge", baseUrl: server.url });
  await rejects(
    regrade(replies("a", "b", "c", "d", "e", "f"), { by: "judge", model, concurrency: 1 }),
    /Cannot ask model "judge" as its endpoint must accept the key/,
  );
  equal(server.received.length, 3);
});

Deno.test("regradeReplies() leaves the rest unscored where the judge is gone in the middle", async () => {
  await using server = playServer(chatReply({ content: "[[5]]" }), errorReply(404, { message: "no such model" }));
  const texts = Array.from({ length: 12 }, (_, at) => `Reply ${at}`);
  const model = openEndpoint({ model: "judge", baseUrl: server.url });
  const judged = await regrade(replies(...texts), { by: "judge", model, concurrency: 1 });
  deepEqual(judged.map(({ value }) => value), [1, ...Array(11).fill(null)]);
  equal(server.received.length, 11);
  match(judged.at(-1)!.verdict!.unread!, /must know the address and the model's name/);
});

Deno.test("regradeReplies() by the simulated reader's ideal gives the rubric's own grades", async () => {
  const scored = replies("A patent.", "A grant.", `"${NEEDLE}" But the text does not say.`, "", "I do not know.");
  const judged: readonly RegradedReply[] = await regrade(scored, {
    by: "judge",
    model: simulatedModel("ideal"),
  });
  deepEqual(judged.map(({ value }) => value), scored.map(({ value }) => value));
  const [row] = regradeRows(judged, "judge");
  deepEqual([row!.kappa, row!.alike, row!.unread], [1, 100, 0]);
  equal(verdictOrigin({ origin: "measured" }, judged), "simulated");
});

Deno.test("regradeReplies() leaves replies of other tasks out, and refuses no calls at a time", async () => {
  const other = scoreRecords([{ ...replies("17")[0]!.record, scoring: "all" }]);
  deepEqual(await regrade(other, { by: "judge", model: simulatedModel("ideal") }), []);
  await rejects(
    regrade(other, { by: "judge", model: simulatedModel("ideal"), concurrency: 0 }),
    /concurrency must be a whole number from 1 to 256: current value is 0/,
  );
});

const [A, B, C] = ["1a", "2b", "3c"].map((end) => `0e7bbda8-78e4-8982-dbec-b7b4a4c0c6${end}`) as [
  string,
  string,
  string,
];

/** Scored replies to a question for two values; `null` is a call that failed. */
function valueReplies(...texts: readonly (string | null)[]): ScoredReply[] {
  return scoreRecords(
    replies(...texts).map(({ record }) => ({
      ...record,
      task: "needles",
      references: [A, B],
      scoring: "values in order",
    })),
  );
}

/** A model that gives one reply to everything, and keeps what it was asked. */
function scripted(reply: Reply, name = "scripted"): Model & { readonly asked: string[] } {
  const asked: string[] = [];
  const ask: Model["ask"] = ({ prompt }) => {
    asked.push(userText(prompt));
    return Promise.resolve(reply);
  };
  return { name, origin: "simulated", settings: {}, template: PLAIN_TEMPLATE, asked, ask };
}

const answer = (text: string): Reply => ({ kind: "answer", text, finishReason: "stop", latencyMs: 1, attempts: 1 });

Deno.test("regradeReplies() asks a real endpoint to rewrite replies, and scores what comes back", async () => {
  await using server = await serveSimulated({ profile: "ideal", otherwise: answerAsSecondModel });
  const model = openEndpoint({ baseUrl: server.url, model: "sim:ideal" });
  const texts = [`The values are ${A} and then ${B}.`, `${C}: ${A}\n${A}: ${B}`, "I cannot find them.", ` ["${A}"] `];
  const rewritten = await regrade(valueReplies(...texts), { by: "extractor", model });
  deepEqual(rewritten.map(({ value }) => value), [1, 1, 0, 0.5]);
  deepEqual(rewritten.map(({ verdict }) => verdict!.unread), [null, null, null, null]);
  // What the extractor wrote is in the asked form, and the record keeps what the model itself wrote.
  deepEqual(rewritten.map(({ penalised }) => penalised?.value), [1, 1, 0, 0.5]);
  deepEqual(rewritten.map(({ record: { reply } }) => reply.kind === "answer" && reply.text), texts);
  equal(verdictOrigin({ origin: "measured" }, rewritten), "simulated");
});

Deno.test("regradeReplies() scores what the extractor made of a reply that the rules misread", async () => {
  const scored = valueReplies(`Not ${C}, but ${A}; and ${B}.`);
  equal(scored[0]!.value, 0);
  const model = scripted(answer(`["${A}", "${B}"]`));
  const [rewritten] = await regrade(scored, { by: "extractor", model });
  equal(rewritten!.value, 1);
  equal(rewritten!.byRules, scored[0]);
});

Deno.test("regradeReplies() sends an extractor neither failed calls nor empty replies", async () => {
  const model = scripted(answer("[]"));
  const rewritten = await regrade(valueReplies(null, " "), { by: "extractor", model });
  deepEqual(rewritten.map(({ value, verdict }) => [value, verdict]), [[null, null], [0, null]]);
  equal(model.asked.length, 0);
});

Deno.test("regradeReplies() scores a reply by the rules where the extractor fails, and says why", async () => {
  const model = scripted({ kind: "failure", failure: "rate_limit", message: "slow down", latencyMs: 1, attempts: 2 });
  const [rewritten] = await regrade(valueReplies(`["${A}", "${B}"]`), { by: "extractor", model });
  deepEqual([rewritten!.value, rewritten!.verdict!.unread, rewritten!.verdict!.asked], [1, "slow down", 2]);
});

/** Replies to prompt dependence that the rubric and a judge gave these grades; the judge's `null` could not be read. */
function graded(task: string, grades: readonly (readonly [number | null, number | null])[]): RegradedReply[] {
  const share = (grade: number | null): number | null => grade === null ? null : grade / 5;
  return grades.map(([rubric, judge]) => {
    const reply = { ...replies("A patent.")[0]!, task, value: share(rubric), failed: rubric === null };
    const unread = judge === null ? "no grade" : null;
    const verdict = rubric === null ? null : { text: "", asked: 1, unread, origin: "measured" as const };
    return { ...reply, value: share(judge), byRules: reply, verdict };
  });
}

Deno.test("regradeRows() are the scores of what both graded, agreement, and what has no answer", () => {
  const replies = [...graded("a", [[5, 5], [5, 3], [1, 1], [4, null], [null, null]]), ...graded("b", [[5, 5]])];
  const [a, b, all] = regradeRows(replies, "judge");
  // Of 5, 5, 1 and 5, 3, 1: 11 and 9 of 15; the second is accepted by one alone. Squared differences 0, 4, 0, and 60 over the nine pairs that
  // chance would make of them, 20 for three: kappa is 1 − 4 / 20.
  deepEqual(
    [a!.replies, a!.unread, a!.failed, a!.byRules!.toFixed(3), a!.byModel!.toFixed(3), a!.alike!.toFixed(3)],
    [4, 1, 1, "73.333", "60.000", "66.667"],
  );
  equal(a!.kappa!.toFixed(6), (1 - 4 / 20).toFixed(6));
  deepEqual([b!.byRules, b!.byModel, b!.kappa], [100, 100, null]);
  deepEqual([all!.task, all!.replies, all!.unread, all!.failed], ["all", 5, 1, 1]);
});

Deno.test("regradeRows() have no scores where nothing was graded by both", () => {
  const [row] = regradeRows(graded("a", [[5, null], [1, null]]), "judge");
  deepEqual([row!.byRules, row!.byModel, row!.alike, row!.kappa, row!.unread], [null, null, null, null, 2]);
});

Deno.test("regradeTable() shows both scores, their agreement, and both origins", () => {
  const { text, note } = regradeTable(graded("a", [[5, 5], [5, 3], [1, 1], [4, null], [null, null]]), {
    ...{ by: "judge", title: "Judged", origin: "simulated", verdicts: "measured" },
  });
  match(text, /^a +4 +1 +73\.3 +60\.0 +66\.7 +0\.800 +1$/m);
  match(note, /Simulated.*measured.* · 4 replies/i);
});

Deno.test("regradeTable() has no kappa for an extractor", () => {
  const scored = valueReplies(A).map((reply) => ({ ...reply, byRules: reply, verdict: null }));
  const options = { by: "extractor", title: "Rewritten", origin: "measured" } as const;
  match(regradeTable(scored, { ...options, verdicts: "measured" }).text, /^needles +1 +0 +50\.0 +50\.0 +100\.0 +0$/m);
});
