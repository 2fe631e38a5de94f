import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { chatReply, errorReply, type PlayServer, playServer } from "../models/_play_server.ts";
import { judgeRows } from "@/lib/benchmarks/prompt_dependence/mod.ts";
import { type FailureKind, openEndpoint, type RunRecord, type ScoredReply } from "@/lib/models/mod.ts";
import { type JudgedReply, judgeOrigin, judgeReplies, scoreRecords, simulatedModel } from "@/lib/runs/mod.ts";

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

Deno.test("judgeReplies() asks a judge over HTTP, unreadable verdicts once more, and leaves unscored what stays unreadable", async () => {
  await using server = judgeServer({
    "A patent.": ["It aligns. Rating: [[5]]"],
    "A grant.": ["Rating: 1", "Rating: [[1]]"],
    "Maybe a patent.": ["I cannot say.", "[[7]]"],
    "": ["Nothing was said. [[1]]"],
    "专利。": ["[[2]]"],
    "I cannot answer that.": ["", ""],
  });
  const scored = replies("A patent.", "A grant.", "Maybe a patent.", null, "", "专利。", "I cannot answer that.");
  const judged = await judgeReplies(scored, { judge: judgeAt(server.url), concurrency: 2 });
  deepEqual(judged.map(({ value }) => value), [1, 0.2, null, null, 0.2, 0.4, null]);
  deepEqual(judged.map(({ verdict }) => verdict?.asked ?? null), [1, 2, 2, null, 1, 1, 2]);
  equal(judged[0]!.score!.why, "It aligns. Rating: [[5]]");
  match(judged[2]!.score!.why, /no grade from 1 to 5/);
  equal(server.received.length, 9);
  const { messages } = server.received[0]!.body as { messages: { role: string; content: string }[] };
  deepEqual(messages.map(({ role }) => role), ["system", "user"]);
  equal(messages[0]!.content, "You are a helpful assistant.");
  ok(messages[1]!.content.includes(`[Ground truth]\n${NEEDLE}\n`));
  const [row] = judgeRows(scored, judged);
  deepEqual([row!.replies, row!.unscored, row!.failed, row!.byJudge], [6, 2, 1, (5 + 1 + 1 + 2) / 20 * 100]);
});

Deno.test("judgeReplies() keeps verdicts in a file and asks only for those that are missing, a torn line included", async () => {
  const folder = await Deno.makeTempDir();
  const file = `${folder}/run/verdicts.jsonl`;
  try {
    const scored = replies("A patent.", "A grant.", "None.");
    const judge = async (said: Parameters<typeof judgeServer>[0]): Promise<[(number | null)[], number]> => {
      await using server = judgeServer(said);
      const judged = await judgeReplies(scored, { judge: judgeAt(server.url), file, concurrency: 1 });
      return [judged.map(({ value }) => value), server.received.length];
    };
    deepEqual(await judge({ "A patent.": ["[[5]]"], "A grant.": ["?", "?"], "None.": ["[[1]]"] }), [[1, null, 0.2], 4]);
    deepEqual(await judge({ "A grant.": ["[[2]]"] }), [[1, 0.4, 0.2], 1]);
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.slice(0, -20));
    deepEqual(await judge({ "A grant.": ["[[3]]"] }), [[1, 0.6, 0.2], 1]);
    deepEqual(await judge({}), [[1, 0.6, 0.2], 0]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("judgeReplies() asks once for equal replies to one question", async () => {
  await using server = judgeServer({ "A patent.": ["[[5]]"] });
  const judged = await judgeReplies(replies("A patent.", "A patent.", "A patent."), { judge: judgeAt(server.url) });
  deepEqual(judged.map(({ value }) => value), [1, 1, 1]);
  equal(server.received.length, 1);
});

Deno.test("judgeReplies() refuses a judge that cannot be asked at all, and asks on no more", async () => {
  await using server = playServer(errorReply(401, { message: "wrong key" }));
  const judge = openEndpoint({ model: "judge", baseUrl: server.url });
  await rejects(
    judgeReplies(replies("a", "b", "c", "d", "e", "f"), { judge, concurrency: 1 }),
    /Cannot ask model "judge" as its endpoint must accept the key/,
  );
  equal(server.received.length, 3);
});

Deno.test("judgeReplies() leaves the rest unscored where the judge is gone in the middle", async () => {
  await using server = playServer(chatReply({ content: "[[5]]" }), errorReply(404, { message: "no such model" }));
  const texts = Array.from({ length: 12 }, (_, at) => `Reply ${at}`);
  const judge = openEndpoint({ model: "judge", baseUrl: server.url });
  const judged = await judgeReplies(replies(...texts), { judge, concurrency: 1 });
  deepEqual(judged.map(({ value }) => value), [1, ...Array(11).fill(null)]);
  equal(server.received.length, 11);
  match(judged.at(-1)!.verdict!.unscored!, /must know the address and the model's name/);
});

Deno.test("judgeReplies() by the simulated reader's ideal gives the rubric's own grades", async () => {
  const scored = replies("A patent.", "A grant.", `"${NEEDLE}" But the text does not say.`, "", "I do not know.");
  const judged: readonly JudgedReply[] = await judgeReplies(scored, { judge: simulatedModel("ideal") });
  deepEqual(judged.map(({ value }) => value), scored.map(({ value }) => value));
  const [row] = judgeRows(scored, judged);
  deepEqual([row!.kappa, row!.accepted, row!.unscored], [1, 100, 0]);
  equal(judgeOrigin({ origin: "measured" }, judged), "simulated");
});

Deno.test("judgeReplies() leaves replies of other tasks out, and refuses no calls at a time", async () => {
  const other = scoreRecords([{ ...replies("17")[0]!.record, scoring: "all" }]);
  deepEqual(await judgeReplies(other, { judge: simulatedModel("ideal") }), []);
  await rejects(
    judgeReplies(other, { judge: simulatedModel("ideal"), concurrency: 0 }),
    /concurrency must be a whole number from 1 to 256: current value is 0/,
  );
});
