import type { ScoredReply } from "@/lib/records/mod.ts";

/** Replies of some tasks with a share of right answers at each length, 40 of each, whose records have a reply. */
export function repliesOf(
  shares: Readonly<Record<number, number>>,
  { tasks, reply }: { readonly tasks: readonly string[]; readonly reply: object },
): readonly ScoredReply[] {
  return Object.entries(shares).flatMap(([key, share]) =>
    tasks.flatMap((task) =>
      Array.from({ length: 40 }, (_, index) => {
        const length = Number(key);
        const record = { task, length, origin: "measured", promptTokens: 900, reply };
        const scored = { task, length, value: index < 40 * share ? 1 : 0, failed: false, noAnswer: false, record };
        return scored as unknown as ScoredReply;
      })
    )
  );
}
