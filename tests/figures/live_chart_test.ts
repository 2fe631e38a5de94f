import { doesNotMatch, equal, match, rejects } from "node:assert/strict";
import { smallLines } from "./_figures.ts";
import { chartLibrary, chartProgram } from "@/lib/figures/mod.ts";
import { textWidth, textWidths } from "@/lib/figures/text_fit.ts";

Deno.test("a chart's program is Vega's, its data included, and no text of it can end a script", async () => {
  const program = await chartProgram({ ...smallLines().spec, description: "</script><img onerror=1>" });
  match(JSON.parse(program)["$schema"], /schema\/vega\/v6/);
  equal(JSON.parse(program)["description"], "</script><img onerror=1>");
  doesNotMatch(program, /</);
  equal(await chartProgram(smallLines().spec), await chartProgram(smallLines().spec));
});

Deno.test("a specification that is no Vega-Lite is refused", async () => {
  await rejects(() => chartProgram({ mark: "none" }), {
    name: "TypeError",
    message: /^Cannot compile the chart as it must be Vega-Lite: current value gives "/,
  });
});

Deno.test("the library is one script with its licence, without modules and without anything that ends a script", async () => {
  const library = await chartLibrary();
  match(library, /^\/\* Vega and its interpreter:\nCopyright/);
  match(library, /vega\.expressionInterpreter = /);
  doesNotMatch(library, /^(import|export) |<\/script|<!--|sourceMappingURL/m);
});

Deno.test("a page can measure texts as figures do", () => {
  const { ascii, others, other } = JSON.parse(JSON.stringify(textWidths())) as ReturnType<typeof textWidths>;
  const text = "K 8—深度é";
  const hundredths = [...text].map((character) =>
    ascii.bold[character.charCodeAt(0) - 32] ??
      others.find(([group]) => new RegExp(group, "u").test(character))?.[1] ?? other
  );
  equal(hundredths.reduce((sum, width) => sum + width, 0) * 12 / 100, textWidth(text, 12, "bold"));
});
