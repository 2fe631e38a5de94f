import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves a model that answers when it is let. */
export async function withModel(
  use: (model: { url: string; answer(count: number): void }) => Promise<void>,
): Promise<void> {
  const waiting: (() => void)[] = [];
  let allowed = 0;
  const serveAllowed = (): void => {
    while (allowed > 0 && waiting.length > 0) {
      allowed--;
      waiting.shift()!();
    }
  };
  const server = createServer((asked, response) => {
    asked.resume();
    const reply = { choices: [{ message: { role: "assistant", content: "no number" }, finish_reason: "stop" }] };
    waiting.push(() => response.setHeader("content-type", "application/json").end(JSON.stringify(reply)));
    serveAllowed();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      answer(count): void {
        allowed += count;
        serveAllowed();
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
