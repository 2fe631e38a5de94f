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
      const member = pick(members, { sample, tried });
      tried.add(member);
      const reply = await askMember(member, { sample, signal, onWait });
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
    mostAtOnce: () => mostTogether(members),
    endWaits: () => members.forEach(({ model }) => model.endWaits?.()),
    findPace: () => members.forEach(({ model }) => model.findPace?.()),
    probe: (samples, given) => lookAtAll(members, { samples, given, rest }),
    countTokens: async (sample, signal) => await (members.find(isThere) ?? first).model.countTokens?.(sample, signal),
    serverNotes: () => members.filter((member) => !isThere(member)).map(leftText),
    ...(options.templateTokens === undefined
      ? {
        withTemplateTokens: (templateTokens, messageTokens = options.messageTokens) =>
          openEndpoint({
            ...{ ...options, baseUrl, templateTokens },
            ...(messageTokens === undefined ? {} : { messageTokens }),
          }),
      }
      : {}),
  };
}

function addressesOf(members: readonly Member[]): string {
  return members.map(({ address }) => address).join(SEPARATOR);
}

/** Chooses the server with the fewest requests, or one with one request more that had the sample before. */
function pick(
  members: readonly Member[],
  { sample, tried }: { readonly sample: Sample; readonly tried: ReadonlySet<Member> },
): Member {
  const now = performance.now();
  const untried = members.filter((member) => !tried.has(member));
  // One request at a time tries a server that has failed.
  const open = untried.filter(({ rests, restsUntil, load }) => rests === 0 || (restsUntil <= now && load === 0));
  const choice = open.length > 0 ? open : untried;
  const least = Math.min(...choice.map(({ load }) => load));
  const before = choice.find(({ last, load }) => last === sample.id && load <= least + 1);
  if (before !== undefined) return before;
  return choice.filter(({ load }) => load === least).reduce((one, other) => other.given < one.given ? other : one);
}

async function askMember(
  member: Member,
  { sample, signal, onWait }: {
    readonly sample: Sample;
    readonly signal: AbortSignal | undefined;
    readonly onWait: ((reason: string) => void) | undefined;
  },
): Promise<Reply> {
  member.load++;
  member.given++;
  member.last = sample.id;
  try {
    return await member.model.ask(sample, signal, onWait);
  } finally {
    member.load--;
  }
}

function mostTogether(members: readonly Member[]): number | undefined {
  const most = members.map(({ model }) => model.mostAtOnce?.());
  return most.every((count) => count !== undefined) ? most.reduce((sum, count) => sum + count, 0) : undefined;
}

function leftText({ address, trouble = "it did not answer" }: Member): string {
  return `${address} failed, and the other servers answered instead: ${trouble}`;
}

/** Probes each server; the first that answers counts the samples, and its report includes the others. */
async function lookAtAll(
  members: readonly Member[],
  { samples, given, rest }: {
    readonly samples: Iterable<Sample>;
    readonly given: ProbeOptions;
    readonly rest: (member: Member, failure: Failure) => void;
  },
): Promise<Probe> {
  const looks: { readonly member: Member; readonly look: Probe }[] = [];
  const lookAt = async (member: Member, counted: Iterable<Sample>): Promise<void> => {
    const look = await member.model.probe!(counted, given);
    looks.push({ member, look });
    if (look.failure !== undefined && SERVER_FAILURES.includes(look.failure.failure)) rest(member, look.failure);
  };
  const isGood = ({ look }: { readonly look: Probe }): boolean => look.failure === undefined;
  const left = [...members];
  while (left.length > 0 && !looks.some(isGood)) await lookAt(left.shift()!, samples);
  await Promise.all(left.map((member) => lookAt(member, [])));
  const main = looks.find(isGood) ?? looks[0]!;
  const windows = looks.flatMap(({ look: { report: { window } } }) => window === undefined ? [] : [window]);
  const others = looks.filter((one) => one !== main).map(({ member, look: { report, failure } }) => {
    const { software, isServed, window, templateTokens, prefix } = report;
    const facts = Object.entries({ software, isServed, window, templateTokens, prefix })
      .filter(([, value]) => value !== undefined);
    return {
      address: member.address,
      ...(failure === undefined ? {} : { failure: failure.message }),
      ...Object.fromEntries(facts),
    };
  });
  return {
    ...main.look,
    report: {
      ...main.look.report,
      address: addressesOf(members),
      ...(windows.length === 0 ? {} : { window: Math.min(...windows) }),
      others,
    },
  };
}
