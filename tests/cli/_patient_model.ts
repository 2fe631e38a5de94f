import { playServer } from "../models/_play_server.ts";

/** Serves a model that answers when it is let. */
export async function withModel(
  use: (model: { url: string; answer(count: number): void }) => Promise<void>,
): Promise<void> {
  const waiting: (() => void)[] = [];
  let allowed = 0;
  const serveAllowed = (): void => {
    for (const go of waiting.splice(0, allowed)) {
      allowed--;
      go();
    }
  };
  await using server = playServer(async () => {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    serveAllowed();
    await turn.promise;
    // Without counts of tokens, as those of the prompts are then taken.
    return Response.json({
      choices: [{ message: { role: "assistant", content: "no number" }, finish_reason: "stop" }],
    });
  });
  const answer = (count: number): void => {
    allowed += count;
    serveAllowed();
  };
  await use({ url: server.url, answer }).finally(() => answer(waiting.length));
}
