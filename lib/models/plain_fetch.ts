/**
 * Sends only the named headers: the package adds those of `OPENAI_CUSTOM_HEADERS`, and what machine it runs on. Follows no
 * redirection, as it could take headers and prompts to another host, and reads no endless reply.
 */
export function plainFetch(names: readonly string[], { mostBytes = MOST_BYTES } = {}): typeof fetch {
  return async (url, init = {}) => {
    const headers = [...new Headers(init.headers)].filter(([name]) => names.includes(name));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    if (response.body === null) return response;
    return new Response(response.body.pipeThrough(limitBytes(mostBytes)), response);
  };
}

/** The most bytes of a reply that are read, as they are after unpacking: no model writes nearly as many. */
const MOST_BYTES = 64 * 2 ** 20;

/** A reply was longer than any that a model writes. */
export class EndlessReply extends Error {}

function limitBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller): void {
      bytes += chunk.byteLength;
      if (bytes <= most) return controller.enqueue(chunk);
      controller.error(new EndlessReply(`The reply is longer than ${most / 2 ** 20} MiB`));
    },
  });
}
