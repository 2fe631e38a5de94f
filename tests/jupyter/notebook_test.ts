import { deepEqual, equal, throws } from "node:assert/strict";
import { code, notebook, prose, tagged } from "./_cells.ts";
import { formatNotebook, parseNotebook } from "@/lib/jupyter/notebook.ts";

Deno.test("parseNotebook() joins the lines of sources, streams and data, and leaves JSON data as it is", () => {
  const output = {
    "output_type": "display_data",
    metadata: {},
    data: { "text/plain": ["a\n", "b"], "application/json": ["a"] },
  };
  const stream = { "output_type": "stream", name: "stdout", text: ["1\n", "2\n"] };
  const cell = {
    "cell_type": "code",
    id: "x",
    metadata: {},
    source: ["1\n", "2"],
    "execution_count": 3,
    outputs: [output, stream],
  };
  const { cells } = parseNotebook(JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4 }));
  equal(cells[0]?.source, "1\n2");
  equal(cells[0]?.executionCount, 3);
  deepEqual(cells[0]?.outputs[0]?.["data"], { "text/plain": "a\nb", "application/json": ["a"] });
  equal(cells[0]?.outputs[1]?.["text"], "1\n2\n");
});

Deno.test("parseNotebook() gives back what formatNotebook() wrote", () => {
  const whole = notebook(
    prose("# Title\n\nText with “quotes” and 字."),
    tagged("parameters", "const a = 1;", { executionCount: 1 }),
    code("a", { executionCount: 2, outputs: [{ "output_type": "stream", name: "stdout", text: "1\n2" }] }),
  );
  deepEqual(parseNotebook(formatNotebook(whole)), whole);
});

Deno.test.each([
  ["what is no JSON", "{", /^Cannot read the notebook as its text must be JSON/],
  ["another format", '{"nbformat":3,"cells":[]}', /format must be 4, with cells: current value is 3$/],
  ["what has no cells", '{"nbformat":4}', /format must be 4, with cells: current value is 4$/],
  ["a cell of no known type", '{"nbformat":4,"cells":[{"cell_type":"slide"}]}', /cell 1 .* current value is "slide"$/],
] as [string, string, RegExp][])("parseNotebook() refuses %s", (_name, text, message) => {
  throws(() => parseNotebook(text), { name: "SyntaxError", message });
});

Deno.test("formatNotebook() keeps tags, kernel and language, and drops times, views and the language's version", () => {
  const metadata = { tags: ["x"], execution: { "shell.execute_reply": "2030-01-01T00:00:00Z" }, collapsed: true };
  const text = formatNotebook({
    cells: [code("1", { metadata })],
    metadata: {
      kernelspec: { name: "deno" },
      "language_info": { name: "typescript", version: "6.0.3", "file_extension": ".ts" },
      widgets: {},
    },
  });
  const file = JSON.parse(text);
  deepEqual(file.cells[0].metadata, { tags: ["x"] });
  deepEqual(file.metadata, {
    kernelspec: { name: "deno" },
    "language_info": { "file_extension": ".ts", name: "typescript" },
  });
});

Deno.test("formatNotebook() is a fixed point: what it wrote, read and written again, is the same text", () => {
  const outputs = [
    { "output_type": "stream", name: "stdout", text: "a" },
    { "output_type": "stream", name: "stdout", text: "b\n" },
    { "output_type": "stream", name: "stderr", text: "c\n" },
    {
      "output_type": "display_data",
      transient: { "display_id": "7" },
      metadata: {},
      data: { "image/svg+xml": "<svg>\n</svg>" },
    },
  ];
  const text = formatNotebook(notebook(code("1\n2\n", { outputs })));
  equal(formatNotebook(parseNotebook(text)), text);
  // It names an output only while it is shown.
  equal(text.includes("display_id"), false);
});

Deno.test("formatNotebook() joins neighbouring pieces of one stream, however the kernel cut them", () => {
  const stream = (text: string) => ({ "output_type": "stream", name: "stdout", text });
  const cut = formatNotebook(notebook(code("1", { outputs: [stream("a\nb"), stream("c\n")] })));
  const whole = formatNotebook(notebook(code("1", { outputs: [stream("a\nbc\n")] })));
  equal(cut, whole);
});
