import { ANTHROPIC } from "./anthropic.ts";
import { CHAT, COMPLETIONS, RESPONSES } from "./openai.ts";
import type { Protocol, ProtocolEnvironment } from "./protocol.ts";

/** The protocols by name: the values of `--api`, and of `api` in a models file and in records. */
export const PROTOCOLS = {
  chat: CHAT,
  completions: COMPLETIONS,
  responses: RESPONSES,
  anthropic: ANTHROPIC,
} as const satisfies Readonly<Record<string, Protocol>>;

export type ProtocolName = keyof typeof PROTOCOLS;

/** Returns the protocol that settings name; `undefined` for a model without a server. */
function protocolOf({ api }: { readonly api?: unknown }): Protocol | undefined {
  return typeof api === "string" && Object.hasOwn(PROTOCOLS, api) ? PROTOCOLS[api as ProtocolName] : undefined;
}

/** Returns the environment variables of a protocol; those of the default one without a name. */
export function protocolEnvironment(api = "chat"): ProtocolEnvironment {
  return (protocolOf({ api }) ?? CHAT).environment;
}

/** Returns whether prompts go through the server's own chat template. */
export function hasChatTemplate(settings: { readonly api?: unknown }): boolean {
  return protocolOf(settings)?.hasChatTemplate ?? false;
}

/** Returns whether bare prompts are completed, without any chat template, as one asks a base model. */
export function isBaseModel(settings: { readonly api?: unknown; readonly template?: unknown }): boolean {
  return protocolOf(settings)?.hasChatTemplate === false && settings.template === "base";
}
