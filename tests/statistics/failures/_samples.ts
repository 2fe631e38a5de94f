import { rulerTask, type RulerTaskName } from "@/lib/benchmarks/ruler/tasks.ts";
import type { Materials, Sample, Task } from "@/lib/generators/mod.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { allFound, anyFound, stringMatchAll, stringMatchPart } from "@/lib/scorers/mod.ts";
import {
  classifyFailure,
  type FailedOutcome,
  type FailureClass,
  type FailureMode,
} from "@/lib/statistics/failures/mod.ts";

/** The materials of all tests of failures. */
export const materials: Materials = await openMaterials({ tokenizer: "cl100k_base" });

/** Makes one sample of one of RULER's tasks, or of its study's. */
export function makeSample(task: Task | RulerTaskName, length = 2048, index = 0): Sample {
  const made = typeof task === "string" ? rulerTask(task) : task;
  return made.sample({ length, seed: "failures", index, materials });
}

type Answer = Extract<FailedOutcome["reply"], { readonly kind: "answer" }>;

/** Classifies how a text fails as an answer to a sample; RULER's score decides whether it does. */
export function classify(
  sample: Sample,
  text: string,
  options: Partial<Omit<Answer, "text" | "kind">> & Pick<FailedOutcome, "closedBookAnswer"> = {},
): FailureMode[] {
  const { closedBookAnswer, ...answer } = options;
  const isAny = sample.task.startsWith("qa");
  return classifyFailure(sample, {
    reply: { kind: "answer", finishReason: "stop", ...answer, text },
    value: (isAny ? stringMatchPart : stringMatchAll)(text, sample.references).value,
    rule: isAny ? anyFound : allFound,
    ...(closedBookAnswer === undefined ? {} : { closedBookAnswer }),
  });
}

/** The classes alone. */
export function classesOf(modes: readonly FailureMode[]): FailureClass[] {
  return modes.map((mode) => mode.class);
}
