/** A server of bytes on loopback, whose connections end as it wants. */
export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of the requests that it read. */
  readonly read: readonly string[];
}

/** Starts a server; `answer` gets a request and its number on its connection, and gives JSON, or nothing where the connection is closed. */
export function rawServer(answer: (request: string, at: number) => string | undefined): RawServer {
  const read: string[] = [];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = async (connection: Deno.Conn): Promise<void> => {
    for (let at = 1;; at++) {
      const request = await readRequest(connection);
      if (request === undefined) return;
      read.push(request.split("\r\n\r\n")[1]!);
      const reply = answer(request, at);
      if (reply === undefined) return close(connection);
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n`;
      await connection.write(new TextEncoder().encode(head + reply));
    }
  };
  const connections: Deno.Conn[] = [];
  const serving: Promise<void>[] = [];
  const listening = (async (): Promise<void> => {
    for await (const connection of listener) {
      connections.push(connection);
      serving.push(serve(connection));
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/v1`,
    read,
    async [Symbol.asyncDispose](): Promise<void> {
      listener.close();
      await listening;
      // Those that fetch keeps.
      connections.forEach(close);
      await Promise.all(serving);
    },
  };
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** Reads one request; `undefined` where the connection ends before it. */
async function readRequest(connection: Deno.Conn): Promise<string | undefined> {
  const bytes = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    const count = await connection.read(bytes).catch(() => null);
    if (count === null) return undefined;
    text += new TextDecoder().decode(bytes.subarray(0, count));
    const [head = "", body] = text.split("\r\n\r\n");
    if (body?.length === Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return text;
  }
}
