/** A request as a server got it. */
export interface Received {
  /** The path with its query. */
  readonly path: string;
  readonly headers: Headers;
  /** The body as JSON; empty if it is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server on loopback. */
export interface FakeServer extends AsyncDisposable {
  /** The address without the path of the API. */
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a server; its `answer` gets each request, what was read of it, and its number from 0. */
export function fakeServer(
  answer: (request: Request, read: Received, at: number) => Response | Promise<Response>,
  options: Pick<Deno.ServeTcpOptions & Deno.ServeOptions, "onError"> = {},
): FakeServer {
  const received: Received[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {}, ...options },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const isJson = request.headers.get("content-type")?.includes("json") ?? false;
      const text = isJson ? await request.clone().text() : "";
      const body = text === "" ? {} : JSON.parse(text);
      const read = { path: pathname + search, headers: request.headers, body };
      return await answer(request, read, received.push(read) - 1);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    received,
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await server.finished;
    },
  };
}
