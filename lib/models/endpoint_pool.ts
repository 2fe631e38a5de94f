import { listAddresses, SEPARATOR } from "./client.ts";
import { openOneEndpoint } from "./endpoint.ts";
import type { EndpointOptions } from "./endpoint_options.ts";
import type { Failure, FailureKind, Model, Probe, Reply, Resent } from "./reply.ts";
import { addResent } from "./server_errors.ts";
import type { ProbeOptions } from "./server_report.ts";
import type { Sample } from "@/lib/generators/mod.ts";

/** Options for {@linkcode openEndpoint}. */
export interface EndpointPoolOptions extends Omit<EndpointOptions, "baseUrl" | "canLeave"> {
  /**
   * The address, or those of several servers of the same model, which share the work: a list, or a text with `, ` between them.
   * The key is sent to each of them.
   */
  readonly baseUrl: string | readonly string[];
}

/** Failures that every other request would meet at the same server. */
const SERVER_FAILURES: readonly FailureKind[] = ["connection", "timeout", "authentication", "not_found"];
/** Failures after which another server is asked. */
const RETRIED_ELSEWHERE: readonly FailureKind[] = [...SERVER_FAILURES, "server", "bad_reply", "rate_limit"];

/** The first and the maximum time without requests after such a failure, in milliseconds. */
const REST_MS = { first: 30_000, max: 300_000 };

/** One of several servers. */
interface Member {
  readonly model: Model;
  /** Its address, without secrets. */
  readonly address: string;
  /** Requests in flight. */
  load: number;
  /** All requests so far. */
  given: number;
  /** Consecutive rests, and the end of the last one, in milliseconds. */
  rests: number;
  restsUntil: number;
  /** Its last failure. */
  trouble?: string;
  /** The id of its last sample, which its cache may still hold. */
  last?: string;
}

/**
 * Opens an endpoint, or several that serve the same model as one model.
 *
 * Each request goes to the server with the fewest in flight, repeats of a sample to the same server. A server that is unreachable,
 * refuses the key or does not know the model gets no requests for half a minute, and longer each time; the others take them. The
 * last one is waited for as if it were alone.
 *
 * @throws {RangeError} If an option is outside its range, two of them exclude each other, or there is no address.
 * @throws {TypeError} If the key has characters that no header can carry.
 */
export function openEndpoint({ baseUrl, ...options }: EndpointPoolOptions): Model {
  const addresses = listAddresses(baseUrl);
  if (addresses.length === 0) {
    throw new RangeError("Cannot open the endpoint as there must be a base URL: current value is none");
  }
  if (addresses.length === 1) return openOneEndpoint({ ...options, baseUrl: addresses[0]! });
  const isThere = ({ rests }: Member): boolean => rests === 0;
  const members: readonly Member[] = addresses.map((address): Member => {
    const canLeave = (): boolean => members.some((other) => other !== member && isThere(other));
    const model = openOneEndpoint({ ...options, baseUrl: address, canLeave });
    const member: Member = {
      ...{ model, address: String(model.settings["baseUrl"]) },
      ...{ load: 0, given: 0, rests: 0, restsUntil: 0 },
    };
    return member;
  });
  const [first] = members as readonly [Member, ...Member[]];
  const rest = (member: Member, { message }: Failure): void => {
    // Requests that were in flight together fail for the same reason.
    if (member.restsUntil > performance.now()) return;
    member.restsUntil = performance.now() + Math.min(REST_MS.max, REST_MS.first * 2 ** member.rests++);
    member.trouble = message;
  };
  async function ask(sample: Sample, signal?: AbortSignal, onWait?: (reason: string) => void): Promise<Reply> {
    const tried = new Set<Member>();
    let [attempts, resent]: [number, readonly Resent[]] = [0, []];
    for (;;) {
      const member = pick(members.filter((each) => !tried.has(each)), sample);
      tried.add(member);
      [member.load, member.given, member.last] = [member.load + 1, member.given + 1, sample.id];
      const reply = await member.model.ask(sample, signal, onWait).finally(() => member.load--);
      attempts += reply.attempts;
      resent = (reply.resent ?? []).reduce((all, one) => addResent(all, one), resent);
      if (reply.kind === "answer") [member.rests, member.restsUntil] = [0, 0];
      else if (SERVER_FAILURES.includes(reply.failure)) rest(member, reply);
      const isOver = reply.kind === "answer" || !RETRIED_ELSEWHERE.includes(reply.failure) ||
        tried.size === members.length;
      if (isOver) {
        return { ...reply, attempts, server: member.address, ...(resent.length === 0 ? {} : { resent }) };
      }
      resent = addResent(resent, { failure: reply.failure, message: reply.message, times: 1, waitedMs: 0 });
      if (!isThere(member)) onWait?.(`${member.address} failed, the other servers continue`);
    }
  }
  return {
    ...first.model,
    settings: { ...first.model.settings, baseUrl: addressesOf(members) },
    ask,
    mostAtOnce(): number | undefined {
      const limits = members.map(({ model }) => model.mostAtOnce?.());
      return limits.every((limit) => limit !== undefined) ? limits.reduce((sum, limit) => sum + limit, 0) : undefined;
    },
    endWaits: () => members.forEach(({ model }) => model.endWaits?.()),
    findPace: () => members.forEach(({ model }) => model.findPace?.()),
    probe: (samples, given) => probeAll(members, { samples, given, rest }),
    countTokens: async (sample, signal) => await (members.find(isThere) ?? first).model.countTokens?.(sample, signal),
    serverNotes: () =>
      members.filter((member) => !isThere(member)).map(({ address, trouble = "it did not answer" }) =>
        `${address} failed, and the other servers answered instead: ${trouble}`
      ),
    ...(options.templateTokens === undefined
      ? {
        withTemplateTokens: (templateTokens, messageTokens = options.messageTokens) =>
          openEndpoint({ ...options, baseUrl, templateTokens, messageTokens }),
      }
      : {}),
  };
}

function addressesOf(members: readonly Member[]): string {
  return members.map(({ address }) => address).join(SEPARATOR);
}

/** Chooses the server with the fewest requests, or one with one request more that had the sample before. */
function pick(untried: readonly Member[], { id }: Sample): Member {
  const now = performance.now();
  // One request at a time tries a server that has failed.
  const open = untried.filter(({ rests, restsUntil, load }) => rests === 0 || (restsUntil <= now && load === 0));
  const choice = open.length > 0 ? open : untried;
  const minLoad = Math.min(...choice.map(({ load }) => load));
  const before = choice.find(({ last, load }) => last === id && load <= minLoad + 1);
  if (before !== undefined) return before;
  return choice.filter(({ load }) => load === minLoad).reduce((one, other) => other.given < one.given ? other : one);
}

/** Probes each server; the first that answers counts the samples, and its report includes the others. */
async function probeAll(
  members: readonly Member[],
  { samples, given, rest }: {
    readonly samples: Iterable<Sample>;
    readonly given: ProbeOptions;
    readonly rest: (member: Member, failure: Failure) => void;
  },
): Promise<Probe> {
  const probes: (Probe & { readonly member: Member })[] = [];
  const probe = async (member: Member, counted: Iterable<Sample>): Promise<void> => {
    const found = await member.model.probe!(counted, given);
    probes.push({ ...found, member });
    if (found.failure !== undefined && SERVER_FAILURES.includes(found.failure.failure)) rest(member, found.failure);
  };
  const hasAnswered = ({ failure }: Probe): boolean => failure === undefined;
  const pending = [...members];
  while (pending.length > 0 && !probes.some(hasAnswered)) await probe(pending.shift()!, samples);
  await Promise.all(pending.map((member) => probe(member, [])));
  const { member: main, ...found } = probes.find(hasAnswered) ?? probes[0]!;
  const windows = probes.flatMap(({ report: { window } }) => window === undefined ? [] : [window]);
  const others = probes.filter(({ member }) => member !== main).map(({ member, report, failure }) => {
    const { software, isServed, window, templateTokens, prefix } = report;
    const facts = Object.entries({ failure: failure?.message, software, isServed, window, templateTokens, prefix });
    return { address: member.address, ...Object.fromEntries(facts.filter(([, value]) => value !== undefined)) };
  });
  return {
    ...found,
    report: {
      ...found.report,
      address: addressesOf(members),
      ...(windows.length === 0 ? {} : { window: Math.min(...windows) }),
      others,
    },
  };
}
