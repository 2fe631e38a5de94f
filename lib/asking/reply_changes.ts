import { shownText } from "@/lib/base/mod.ts";
import type { Reply } from "@/lib/models/mod.ts";
import type { RunRecord } from "@/lib/records/mod.ts";

/** Describes a fact of a server that changed. */
export function changeText(arm: string, fact: string, before: string, now: string): string {
  const [was, is] = [before, now].map((text) => shownText(text, 100));
  return `the server of ${arm} changed: its ${fact} was ${was} and then ${is}`;
}

/** Returns a function that notes a reply of an arm, and returns how its server changed since the first one, if it did. */
export function watchReplies(arm: string, earlier: Iterable<Reply> = []): (reply: Reply) => string | undefined {
  const known = new Map<string, string>();
  const note = (reply: Reply): string | undefined => {
    if (reply.kind === "failure") return undefined;
    const facts = { "served model": reply.servedModel, fingerprint: reply.fingerprint };
    return Object.entries(facts).flatMap(([fact, now]) => {
      const before = now === undefined ? now : known.getOrInsert(fact, now);
      return before === now ? [] : [changeText(arm, fact, before!, now!)];
    })[0];
  };
  for (const reply of earlier) note(reply);
  return note;
}

/** Lists how the server of an arm changed between its first reply and the others. */
export function replyChanges(arm: string, records: readonly RunRecord[]): readonly string[] {
  const inTime = records.toSorted(({ time: left = "" }, { time: right = "" }) => left.localeCompare(right, "en"));
  const note = watchReplies(arm);
  return [...new Set(inTime.flatMap(({ reply }) => note(reply) ?? []))];
}
