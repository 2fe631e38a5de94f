import { chatReply, errorReply, type PlayServer, playServer } from "../models/_play_server.ts";

/** The facts and the behaviour of a served model, which a test may change half-way. */
export interface Served {
  /** The name of the model. */
  name: string;
  version: string;
  /** The path of its weights. */
  weights: string;
  fingerprint: string;
  /** The name that replies have. */
  replied: string;
  /** Whether it finds what is asked for. */
  isRight: boolean;
  /** A status that it refuses questions with. */
  refuses: number | undefined;
  /** Called with each question. */
  onQuestion: (count: number) => void;
}

/** A server that shows its facts as vLLM does. */
export interface CertifiedServer extends PlayServer {
  readonly served: Served;
  /** The questions of samples so far. */
  readonly questions: () => number;
}

/** Starts a server that finds the number asked for, unless it is to be wrong. */
export function certifiedServer(facts: Partial<Served> = {}): CertifiedServer {
  const served: Served = {
    ...{ name: "tiny", version: "1.0", weights: "/models/tiny", fingerprint: "fp-1", replied: "tiny", isRight: true },
    ...{ refuses: undefined, onQuestion: () => {} },
    ...facts,
  };
  let count = 0;
  const server = playServer(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/models") {
      return Response.json({
        data: [{ id: served.name, owned_by: "vllm", root: served.weights, max_model_len: 4096 }],
      });
    }
    if (pathname === "/version") return Response.json({ version: served.version });
    const { messages } = await request.json();
    const text: string = messages?.at(-1)?.content ?? "";
    const [, key] = /number for (\S+) mentioned/.exec(text) ?? [];
    if (key === undefined) {
      return pathname.endsWith("/completions") ? chatReply({ content: "Yes." }) : errorReply(404, {});
    }
    served.onQuestion(++count);
    if (served.refuses !== undefined) return errorReply(served.refuses, { message: "no longer" });
    const [, value = ""] = new RegExp(`for ${key} is: (\\d+)`).exec(text) ?? [];
    const reply = await chatReply({ content: served.isRight ? value : "none" }).json();
    return Response.json({ ...reply, model: served.replied, system_fingerprint: served.fingerprint });
  });
  return { ...server, served, questions: () => count };
}

/** The flags of a small certificate of two servers. */
export function certifyFlags(base: { readonly url: string }, change: { readonly url: string }): readonly string[] {
  return [
    ...["--base", `f16=${base.url}`, "--change", `q8=${change.url}`, "--margin", "40", "--tasks", "niah_single_2"],
    ...["--lengths", "512", "--calibrate", "4", "--between", "0-100", "--no-turn", "--stream", "off"],
  ];
}
