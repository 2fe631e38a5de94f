import type { MeasuredWith, OpenedModel } from "@/lib/studies/mod.ts";
import { simulatedModel } from "@/lib/simulated/mod.ts";
import { joinPrompt, type Reply } from "@/lib/models/mod.ts";

/** What a test measures with. */
export const TEST_MEASURED_WITH: Omit<MeasuredWith, "from" | "to"> = {
  weights: { file: "tiny.gguf", sha256: "00", quantisation: "Q4_0", licence: "none" },
  server: { name: "llama.cpp", version: "b1", flags: "-c 4096" },
  machine: { processor: "abacus", cores: 2, system: "linux x86_64" },
};

/** A model that finds every needle and says that it is real. */
export function realModel(options: { readonly name?: string; readonly asked?: string[] } = {}): OpenedModel {
  const { name = "tiny", asked = [] } = options;
  const reader = simulatedModel("ideal");
  return {
    ...reader,
    name,
    origin: "measured",
    settings: { temperature: 0 },
    claimedWindow: 2048,
    async ask(sample, signal): Promise<Reply> {
      asked.push(`${name} ${sample.length} ${sample.index} ${joinPrompt(sample.prompt).length > 0}`);
      return { ...await reader.ask(sample, signal), ...{ promptTokens: sample.promptTokens, latencyMs: 10 } };
    },
  };
}
