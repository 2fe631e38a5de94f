import { type Allowance, answerAllowance, batchPrices, priceOf, type Prices } from "@/lib/studies/mod.ts";
import { priceOfRecords } from "@/lib/records/mod.ts";
import type { RunRecord } from "@/lib/models/mod.ts";

/** The spending limit of a run. */
export interface SpendingLimit {
  /** The most that all its sessions may cost together, in the currency of the prices. Range: above 0. */
  readonly amount: number;
  /** Prices per million tokens. */
  readonly prices: Prices;
}

/** The budget of a run: each call reserves its maximum price before it is sent, and releases what it did not cost. */
export interface Purse {
  /**
   * Takes the most that a call can cost, as soon as calls under way have given back enough; `false` where that could be more than
   * is left.
   */
  take(call: PaidCall): Promise<boolean>;
  /** The same without waiting: `false` too where only calls under way have to give back first. */
  tryTake(call: PaidCall): boolean;
  /** Takes the most that a call can cost which was sent already. */
  hold(call: PaidCall): void;
  /** Notes the price of a call; `undefined` for a call without a reply. */
  settle(call: PaidCall, record: RunRecord | undefined): void;
  /** Why nothing more is asked; `undefined` as long as no call was refused. */
  trouble(): string | undefined;
}

/** A call that is about to be sent. */
export interface PaidCall {
  /** Prompt tokens, by the run's tokenizer. */
  readonly promptTokens: number;
  /** The tokens that the answer may have, where the model's settings do not say. */
  readonly answerRoom: number;
}

/** Options for {@linkcode openPurse}. */
export interface PurseOptions extends Allowance {
  /** The records of the run so far. */
  readonly records?: readonly RunRecord[];
  /** Whether calls are sent in batches, which cost less. */
  readonly inBatches?: boolean;
}

/**
 * Opens a purse with what earlier sessions left in it. The limit is kept as far as the prices are right and the server counts prompts
 * as it did before: a prompt counts as so much longer than ours as the one that was longest by comparison. What failed calls and
 * earlier attempts are charged is not known.
 *
 * @throws {RangeError} If the limit is not above 0.
 */
export function openPurse({ amount, prices }: SpendingLimit, options: PurseOptions = {}): Purse {
  if (!(amount > 0)) {
    throw new RangeError(`Cannot limit the cost of the run as it must be above 0: current value is ${amount}`);
  }
  const { records = [], inBatches = false } = options;
  let [spent, taken, longer, isRefused] = [0, 0, 1, false];
  const most = ({ promptTokens, answerRoom }: PaidCall): number => {
    const answerTokens = answerAllowance({ answerRoom }, options);
    const tokens = { promptTokens: longer * promptTokens, answerTokens, cachedShare: 0 };
    return priceOf(tokens, inBatches ? batchPrices(prices) : prices);
  };
  const spend = (record: RunRecord): void => {
    spent += priceOfRecords([record], prices);
    const { reply, promptTokens } = record;
    if (reply.kind === "answer") longer = Math.max(longer, (reply.promptTokens ?? promptTokens) / promptTokens);
  };
  records.forEach(spend);
  const held = new Map<PaidCall, number>();
  const waiting: (() => void)[] = [];
  const hold = (call: PaidCall): void => {
    held.set(call, most(call));
    taken += most(call);
  };
  const tryTake = (call: PaidCall): boolean => {
    const fits = spent + taken + most(call) <= amount;
    if (!fits && held.size === 0) isRefused = true;
    if (!fits || isRefused) return false;
    hold(call);
    return true;
  };
  return {
    async take(call): Promise<boolean> {
      while (!tryTake(call)) {
        if (isRefused) return false;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return true;
    },
    tryTake,
    hold,
    settle(call, record): void {
      taken -= held.get(call) ?? 0;
      held.delete(call);
      if (record !== undefined) spend(record);
      for (const resume of waiting.splice(0)) resume();
    },
    trouble: () =>
      isRefused
        ? `Stopped at the limit of its cost: ${
          spent.toFixed(4)
        } of ${amount} is spent, and another call could cost more than the rest. ` +
          "The same command with a higher limit resumes the run"
        : undefined,
  };
}
