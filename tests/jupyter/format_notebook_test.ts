import { deepEqual, equal } from "node:assert/strict";
import { code, notebook } from "./_cells.ts";
import { formatNotebook, parseNotebook } from "@/lib/jupyter/notebook.ts";

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
});

Deno.test("formatNotebook() joins neighbouring pieces of one stream, however the kernel cut them", () => {
  const stream = (text: string) => ({ "output_type": "stream", name: "stdout", text });
  const cut = formatNotebook(notebook(code("1", { outputs: [stream("a\nb"), stream("c\n")] })));
  const whole = formatNotebook(notebook(code("1", { outputs: [stream("a\nbc\n")] })));
  equal(cut, whole);
});

Deno.test("formatNotebook() drops what names an output only while it is shown", () => {
  const output = {
    "output_type": "display_data",
    transient: { "display_id": "7" },
    metadata: {},
    data: { "text/plain": "x" },
  };
  equal(formatNotebook(notebook(code("1", { outputs: [output] }))).includes("display_id"), false);
});
