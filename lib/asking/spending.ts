import { priceOfRecords, type RunRecord } from "@/lib/records/mod.ts";
import { type Allowance, answerAllowance, batchPrices, priceOf, type Prices } from "@/lib/studies/mod.ts";

/** The spending limit of a run. */
export interface SpendingLimit {
  /** The most that all its sessions may cost together, in the currency of the prices. Range: above 0. */
  readonly amount: number;
  /** Prices per million tokens. */
  readonly prices: Prices;
}

/** The remaining money of a run: each call reserves its maximum price before it is sent, and releases what it did not cost. */
export interface Spending {
  /** Reserves the maximum price of a call, once calls in flight have released enough; `false` if the limit does not allow it. */
  reserve(call: PaidCall): Promise<boolean>;
  /** Reserves without waiting; `false` also if calls in flight must release their share first. */
  tryReserve(call: PaidCall): boolean;
  /** Reserves the maximum price of a call that was sent already. */
  hold(call: PaidCall): void;
  /** Notes the price of a call; `undefined` for a call without a reply. */
  settle(call: PaidCall, record: RunRecord | undefined): void;
  /** Returns why the run stops; `undefined` as long as no call was refused. */
  trouble(): string | undefined;
}

/** A call that is about to be sent. */
export interface PaidCall {
  /** Prompt tokens, by the run's tokenizer. */
  readonly promptTokens: number;
  /** The limit of tokens of the answer, unless the model's settings have one. */
  readonly answerRoom: number;
}

/**
 * Opens the budget of a run, reduced by the price of earlier sessions. The limit holds if the prices are right and the server counts
 * prompts as before: local counts are scaled by the largest ratio of server tokens to local tokens so far. Charges for failed calls
 * and earlier attempts are unknown.
 *
 * @throws {RangeError} If the limit is not above 0.
 */
export function openSpending(
  { amount, prices }: SpendingLimit,
  options: Allowance & { readonly records?: readonly RunRecord[]; readonly inBatches?: boolean } = {},
): Spending {
  if (!(amount > 0)) {
    throw new RangeError(`Cannot limit the cost of the run as it must be above 0: current value is ${amount}`);
  }
  const { records = [], inBatches = false } = options;
  let [spent, reserved, ratio, isRefused] = [0, 0, 1, false];
  const maxPrice = ({ promptTokens, answerRoom }: PaidCall): number => {
    const answerTokens = answerAllowance({ answerRoom }, options);
    const tokens = { promptTokens: ratio * promptTokens, answerTokens };
    return priceOf(tokens, inBatches ? batchPrices(prices) : prices);
  };
  const spend = (record: RunRecord): void => {
    spent += priceOfRecords([record], prices);
    const { reply, promptTokens } = record;
    if (reply.kind === "answer") ratio = Math.max(ratio, (reply.promptTokens ?? promptTokens) / promptTokens);
  };
  records.forEach(spend);
  const held = new Map<PaidCall, number>();
  const waiting: (() => void)[] = [];
  const hold = (call: PaidCall): void => {
    held.set(call, maxPrice(call));
    reserved += maxPrice(call);
  };
  const tryReserve = (call: PaidCall): boolean => {
    const fits = spent + reserved + maxPrice(call) <= amount;
    if (!fits && held.size === 0) isRefused = true;
    if (!fits || isRefused) return false;
    hold(call);
    return true;
  };
  return {
    async reserve(call): Promise<boolean> {
      while (!tryReserve(call)) {
        if (isRefused) return false;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return true;
    },
    tryReserve,
    hold,
    settle(call, record): void {
      reserved -= held.get(call) ?? 0;
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
