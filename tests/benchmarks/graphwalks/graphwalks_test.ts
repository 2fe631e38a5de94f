import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { GRAPH_WALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { EdgeLines, nodeId } from "@/lib/benchmarks/graphwalks/edge_lines.ts";
import { graphClosing, graphOpening } from "@/lib/benchmarks/graphwalks/wording.ts";
import { type Materials, type Sample, userText } from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";

const materials = await openTestMaterials("o200k_base");

type Settings = Parameters<typeof GRAPH_WALKS.make>[0];

function make(settings: Settings, index: number, { length = 4096, seed = "walks" } = {}): Sample {
  return GRAPH_WALKS.make(settings).sample({ length, seed, index, materials });
}

function edgesOf(sample: Sample): [source: string, target: string][] {
  const text = userText(sample.prompt);
  const graph = text.slice(text.lastIndexOf("edges:"));
  return Array.from(graph.matchAll(/^(\S{10}) -> (\S{10})$/gm), ([, source, target]) => [source!, target!]);
}

Deno.test("nodeId() returns the ids of the data", () => {
  deepEqual([0, 1, 2, 10, 41].map(nodeId), ["cfcd208495", "c4ca4238a0", "c81e728d9d", "d3d9446802", "3416a75f4c"]);
});

Deno.test("the words of 2025 have the characters of the data's smallest row, but one", () => {
  // prompt_chars of the row with 44 edges that asks for parents: 2,638.
  const closing = graphClosing({ operation: "parents", root: "8f14e45fce", depth: 1 });
  equal(graphOpening("2025").length + 44 * "cfcd208495 -> cfcd208495\n".length + closing.length, 2637);
  match(
    graphOpening("2025"),
    /only return the nodes that are reachable at that depth, do not return the starting node\. If/,
  );
  match(
    graphOpening("2026"),
    /that are both reachable and exactly at that depth \(not nodes at intermediate depths\), and do/,
  );
});

Deno.test("nodes have the same number of edges, in the order of their numbers, with duplicates and self-loops", () => {
  const edges = edgesOf(make({ degree: 3 }, 0, { length: 65_536 }));
  const bySource = [...Map.groupBy(edges, ([source]) => source)];
  deepEqual(bySource.map(([source]) => source), bySource.map((_, node) => nodeId(node)));
  ok(bySource.slice(0, -1).every(([, from]) => from.length === 3));
  ok(bySource.at(-1)![1].length <= 3);
  ok(new Set(edges.map(String)).size < edges.length);
  ok(edges.some(([source, target]) => source === target));
  // Few nodes are the target of no edge by construction: 1% at most.
  const numbers = new Map(bySource.map(([source], node) => [source, node]));
  ok(Math.max(...edges.map(([, target]) => numbers.get(target)!)) > 0.98 * bySource.length);
});

Deno.test("degrees are 1 to 5 in turn unless given, and depth is 2", () => {
  const degrees = Array.from({ length: 50 }, (_, index) => {
    const sources = edgesOf(make({ operation: "bfs" }, index, { length: 2048 })).map(([source]) => source);
    return sources.lastIndexOf(sources[0]!) + 1;
  });
  const counts = [1, 2, 3, 4, 5].map((degree) => degrees.filter((each) => each === degree).length);
  ok(counts.every((count) => count >= 8 && count <= 12), counts.join());
  match(userText(make({ operation: "bfs" }, 0).prompt), /\nPerform a BFS from node [0-9a-f]{10} with depth 2\.\n/);
});

Deno.test("empty answers are kept as in the data, or redrawn", () => {
  const empty = (emptyAnswers: "kept" | "redrawn"): number =>
    Array.from({ length: 60 }, (_, index) => make({ degree: 1, emptyAnswers }, index)).filter(({ references }) =>
      references.length === 0
    ).length;
  // Of a node in a random graph of degree 1, no parent has a probability of 1/e.
  ok(empty("kept") >= 10 && empty("kept") <= 35);
  equal(empty("redrawn"), 0);
});

Deno.test("facts are the edges: those that answer, those that are easily mistaken, and the others", () => {
  for (const settings of [{ degree: 4 }, { operation: "bfs", degree: 3, depth: 3 }] as const) {
    const sample = make(settings, 2, { length: 8192 });
    const { facts, references } = sample;
    equal(facts.length, edgesOf(sample).length);
    const values = (role: string): Set<string> =>
      new Set(facts.filter((fact) => fact.role === role).map(({ value }) => value));
    deepEqual([...values("target")].sort(), references.toSorted());
    equal(values("distractor").intersection(values("target")).size, 0);
    ok(facts.every(({ text, value }) => text.includes(value)));
  }
});

Deno.test("lines are measured as a whole text where a tokenizer does not split them", () => {
  const { tokenizer } = materials;
  const { ascii: _, cutsLines: __, ...plain } = tokenizer;
  const bare: Materials["tokenizer"] = { ...plain, isCut: (text, at) => tokenizer.isCut(text, at) };
  const linesOf = (counting: Materials["tokenizer"]) =>
    new EdgeLines({
      materials: { tokenizer: counting, remember: (_key, make) => make() },
      ...{ tokens: 1000, degree: 2, draw: stream("lines") },
    });
  const [quick, slow] = [linesOf(tokenizer), linesOf(bare)];
  const factOf = () => ({ role: "noise", key: "k", value: "v", text: "t" }) as const;
  const [one, other] = [quick, slow].map((lines) => lines.part(70, factOf));
  equal(one!.measured.text, other!.measured.text);
  equal(other!.parts!.length, 70);
  ok(one!.parts === undefined);
});

Deno.test("a depth for parents is refused", () => {
  throws(() => GRAPH_WALKS.make({ depth: 2 }), {
    name: "RangeError",
    message: "Cannot make task graphwalks_parents as depth must be given only if operation is bfs: current value is 2",
  });
});
