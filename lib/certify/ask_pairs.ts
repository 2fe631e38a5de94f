import type { CertificatePair } from "./decision.ts";
import type { CertificateDesign, RegisteredCertificate } from "./design.ts";
import { judgeArms } from "./pairs.ts";
import { certificateMark, readCertificateRuns } from "./recorded_runs.ts";
import { watchArms } from "./servers.ts";
import { type Asking, askRun, lookOf, type Models } from "./session.ts";
import { type OpenedModel, openStudy } from "@/lib/studies/mod.ts";
import {
  type AskedSample,
  type ChooseSamples,
  DEFAULT_CONCURRENCY,
  nameOf,
  type SampleName,
} from "@/lib/asking/mod.ts";

/** Asks base and change in steps that both end before the next begins; whether they came to the end of the design. */
export async function askPairs(
  certificate: RegisteredCertificate,
  options: Asking & { readonly models: Models; readonly onReply: (change: string | undefined) => void },
): Promise<boolean> {
  const { models, onState } = options;
  const { design } = certificate;
  const begun = await readCertificateRuns(options.path, certificate, options);
  const watches = watchArms(design, begun);
  const modelOf = (arm: Arm): OpenedModel => {
    const side = arm === "change" ? "change" : "base";
    const model = models[side];
    const ask: OpenedModel["ask"] = async (...call) => {
      const reply = await model.ask(...call);
      options.onReply(watches[side](reply));
      return reply;
    };
    // The base is asked twice before the design has its hash, and runs of earlier versions have none.
    const begunWith = begun.runs[arm]?.manifest.settings;
    const isUnmarked = arm === "again" || (begunWith !== undefined && begunWith["certificate"] === undefined);
    const mark = isUnmarked ? {} : { certificate: certificateMark(certificate, side) };
    return { ...model, ask, settings: { ...model.settings, ...mark } };
  };
  const opened = await openStudy(design.study, options);
  let isOver = false;
  const gate = openGate(["base", "again", "change"], (asked) => {
    const { pairs, state, bounds } = judgeArms(design, { base: asked.get("base")!, change: asked.get("change")! });
    onState?.(state);
    // The verdict has to be the same whatever is unknown.
    const isFinal = [state, ...Object.values(bounds ?? {})].every((each) => each.isFinal);
    const isDecided = isFinal || isHopeless(pairs);
    const next = isDecided ? null : nextStep(design, { pairs, concurrency: options.concurrency });
    isOver = next === null;
    return next;
  });
  const ask = async (arm: Arm, name: string): Promise<void> => {
    try {
      await askRun(design.study, options, name, {
        opened,
        name: arm,
        model: modelOf(arm),
        choose: gate.chooserOf(arm),
        countsOverflow: arm === "change",
        onServer: lookOf(name, arm === "again" ? {} : options),
      });
    } finally {
      gate.leave();
    }
  };
  const { base, change } = design;
  const arms = await Promise.allSettled([ask("base", base.name), ask("again", base.name), ask("change", change.name)]);
  if (isOver || options.stop.aborted) return isOver;
  const failed = arms.find((arm) => arm.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return true;
}

/** A step asks at least as many pairs, so that many calls can run at once, and 5% more rounds. */
const STEP = { pairs: 16, growth: 0.05 };

/** A run of a certificate that is asked with the others. */
type Arm = "base" | "again" | "change";

/** Returns the samples of the next rounds for each arm; `null` at the end of the design. */
function nextStep(
  { mix, firstPair, questions, again, samples }: CertificateDesign,
  { pairs, concurrency = DEFAULT_CONCURRENCY }: {
    readonly pairs: readonly CertificatePair[];
    readonly concurrency?: number | undefined;
  },
): Readonly<Record<Arm, readonly SampleName[]>> | null {
  const counts = Map.groupBy(pairs, ({ round }) => round);
  const most = Math.max(1, Math.floor(samples / (mix.length * questions)));
  let done = 0;
  while (counts.get(done)?.length === mix.length) done++;
  const step = Math.ceil(Math.max(STEP.pairs / (mix.length * questions), STEP.growth * done));
  const rounds = Array.from({ length: Math.min(step, most - done) }, (_, at) => done + at);
  if (rounds.length === 0) return null;
  const namesOf = (asked: readonly number[]): readonly SampleName[] => {
    const contexts = asked.flatMap((round) => mix.map(({ task, length }) => ({ task, length, round })));
    // The first question of some contexts is answered before their others are sent, so that the server has their prefix.
    return Array.from({ length: Math.ceil(contexts.length / concurrency) * questions }, (_, at) => {
      const [block, question] = [Math.floor(at / questions) * concurrency, at % questions];
      return contexts.slice(block, block + concurrency).map(({ task, length, round }) => {
        return { task, length, index: firstPair + round * questions + question };
      });
    }).flat();
  };
  const names = namesOf(rounds);
  const every = again === 0 ? Infinity : Math.round(1 / again);
  return { base: names, change: names, again: namesOf(rounds.filter((round) => round % every === 0)) };
}

/** Pairs after which a certificate ends if most of them have no score. */
const HOPELESS_PAIRS = 24;

/** Whether most pairs have no score, as where prompts exceed the window of the change; more of them would decide nothing. */
function isHopeless(pairs: readonly CertificatePair[]): boolean {
  const unscored = pairs.filter(({ base, change }) => base === null || change === null).length;
  return pairs.length >= HOPELESS_PAIRS && 2 * unscored > pairs.length;
}

/**
 * Opens a gate for runs that go on together, each step when all of them have ended the one before; `leave` ends them all after
 * their step. `decide` returns the samples of the next step, or `null` at the end.
 */
function openGate(
  arms: readonly Arm[],
  decide: (asked: ReadonlyMap<Arm, readonly AskedSample[]>) => Readonly<Record<Arm, readonly SampleName[]>> | null,
): { readonly chooserOf: (arm: Arm) => ChooseSamples; readonly leave: () => void } {
  const asked = new Map<Arm, readonly AskedSample[]>();
  const waiting = new Map<Arm, (names: readonly SampleName[]) => void>();
  let isOver = false;
  const release = (arm: Arm, names: readonly SampleName[]): void => {
    waiting.get(arm)?.(names);
    waiting.delete(arm);
  };
  const endAll = (): void => {
    isOver = true;
    for (const arm of arms) release(arm, []);
  };
  const step = (): void => {
    // An arm that has its samples already waits for the next step.
    while (!isOver && waiting.size === arms.length) {
      const next = decide(asked);
      if (next === null) return endAll();
      const missing = arms.map((arm) => {
        const known = new Set(asked.get(arm)!.map(nameOf));
        return [arm, next[arm].filter((name) => !known.has(nameOf(name)))] as const;
      });
      if (missing.every(([, names]) => names.length === 0)) return endAll();
      for (const [arm, names] of missing) if (names.length > 0) release(arm, names);
    }
  };
  return {
    chooserOf: (arm) => async (known) => {
      if (isOver) return [];
      asked.set(arm, known);
      const { promise, resolve } = Promise.withResolvers<readonly SampleName[]>();
      waiting.set(arm, resolve);
      step();
      return await promise;
    },
    leave: endAll,
  };
}
