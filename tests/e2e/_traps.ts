import { code, notebook, prose } from "../jupyter/_cells.ts";
import { JUPYTER_DISPLAY, lineChart, table } from "@/lib/figures/mod.ts";
import type { JsonObject, Notebook } from "@/lib/jupyter/notebook.ts";

/** Replies that would run, ask the network or leave the page if anything let them. */
export const TRAPS = [
  "<script>document.title='ran'</script>",
  "<img src=x onerror=\"document.title='ran'\">",
  "<svg onload=\"document.title='ran'\"><animate onbegin=\"document.title='ran'\" attributeName=x dur=1s></svg>",
  "<a class=trap href=\"javascript:document.title='ran'\">open</a>",
  "[open](javascript:document.title='ran')",
  "<iframe srcdoc=\"<script>parent.document.title='ran'</script>\"></iframe>",
  '<link rel=stylesheet href="http://127.0.0.1:9/x.css"><img src="http://127.0.0.1:9/x.png">',
  '<base href="http://127.0.0.1:9/"><form action="http://127.0.0.1:9/"><button>send</button></form>',
  "</script></style></title><script>document.title='ran'</script>",
  "<!-- scripts --><!-- policy -->",
  "{{ resources }} {% raw %} ${document.title='ran'}",
];

const said = { caption: TRAPS.join(" "), n: 1, origin: "measured" } as const;

/** A notebook that shows them everywhere: in a table, a chart's texts and tooltips, prints, an error, raw HTML and prose. */
export async function trapNotebook(): Promise<Notebook> {
  const rows = TRAPS.flatMap((reply, at) => [4096, 8192].map((length) => ({ reply, length, score: 5 * at })));
  const chart = lineChart(rows, {
    ...said,
    title: TRAPS[0]!,
    ...{ x: "length", xTitle: TRAPS[1]!, y: "score", yTitle: TRAPS[2]!, series: "reply", seriesTitle: TRAPS[3]! },
  });
  const cells = table(rows, {
    ...said,
    title: TRAPS[1]!,
    columns: [{ field: "reply", label: TRAPS[0]! }, { field: "score", label: "Score" }],
  });
  const shown = (data: unknown) => ({
    outputs: [{ "output_type": "display_data", data: data as JsonObject, metadata: {} }],
  });
  return notebook(
    prose("# Traps\n\n[open](javascript:document.title='ran')"),
    code("chart", shown(await chart[JUPYTER_DISPLAY]())),
    code("table", shown(cells[JUPYTER_DISPLAY]())),
    code(`print(${JSON.stringify(TRAPS)})`, {
      outputs: [{ "output_type": "stream", name: "stdout", text: TRAPS.join("\n") }],
    }),
    code("text", shown({ "text/plain": TRAPS.join("\n") })),
    code("fail", {
      outputs: [{ "output_type": "error", ename: "Error", evalue: TRAPS[0]!, traceback: [...TRAPS] }],
    }),
    // What only a cell of one's own could show; the policy alone stands before it.
    code("html", shown({ "text/html": TRAPS.join("\n") })),
  );
}
