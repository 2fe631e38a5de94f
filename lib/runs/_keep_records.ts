import type { Model } from "@/lib/models/mod.ts";
import { watchReplies } from "./_hopeless.ts";
import type { RunRecord } from "./record.ts";
import type { RunStore } from "./store.ts";

/** Keeps records, unless the model turns out not to be there at all. */
export interface RecordKeeper {
  /** Adds a record; throws where there is no use in asking on. */
  add(record: RunRecord): Promise<void>;
  /** Adds what was held back; throws where the plan ended and nothing had worked. */
  finish(end: { readonly isStopped: boolean }): Promise<void>;
}

/** Holds records back until something has been seen to work, so that a wrong key or address leaves nothing behind. */
export function keepRecords(model: Model, store: RunStore): RecordKeeper {
  const watch = watchReplies(model.name);
  const held: RunRecord[] = [];
  const release = async (): Promise<void> => {
    for (const record of held.splice(0)) await store.append(record);
  };
  return {
    async add(record): Promise<void> {
      const error = watch.note(record.reply);
      if (error) throw error;
      held.push(record);
      if (!watch.isUnproven()) await release();
    },
    async finish({ isStopped }): Promise<void> {
      const error = watch.atEnd();
      if (error && !isStopped) throw error;
      await release();
    },
  };
}
