import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { GRAPH_WALKS, GRAPHWALKS } from "@/lib/benchmarks/graphwalks/graphwalks.ts";
import { EdgeLines } from "@/lib/benchmarks/graphwalks/edge_lines.ts";
import { graphClosing, graphOpening } from "@/lib/benchmarks/graphwalks/wording.ts";
import { type Materials, type Sample, userText } from "@/lib/generators/mod.ts";
import { stream } from "@/lib/random/mod.ts";

const materials = await openTestMaterials("o200k_base");

function make(settings: Parameters<typeof GRAPH_WALKS.make>[0], index: number, { length = 4096 } = {}): Sample {
  return GRAPH_WALKS.make(settings).sample({ length, seed: "walks", index, materials });
}

function edgesOf(sample: Sample): [source: string, target: string][] {
  const text = userText(sample.prompt);
  const graph = text.slice(text.lastIndexOf("edges:"));
  return Array.from(graph.matchAll(/^(\S{10}) -> (\S{10})$/gm), ([, source, target]) => [source!, target!]);
}

Deno.test("the words of 2025 have the characters of the data's smallest row, but one", () => {
  // prompt_chars of the row with 44 edges that asks for parents: 2,638.
  const closing = graphClosing({ operation: "parents", root: "8f14e45fce", depth: 1 });
  equal(graphOpening("2025").length + 44 * "cfcd208495 -> cfcd208495\n".length + closing.length, 2637);
  match(graphOpening("2025"), /only return the nodes that are reachable at that depth, do not return the starting/);
  match(graphOpening("2026"), /that are both reachable and exactly at that depth \(not nodes at intermediate depths\)/);
});

Deno.test("nodes have the same number of edges, in the order of their numbers, with duplicates and self-loops", () => {
  const edges = edgesOf(make({ degree: 3 }, 0, { length: 65_536 }));
  const bySource = [...Map.groupBy(edges, ([source]) => source)];
  const ids = bySource.map(([source]) => source);
  equal([0, 1, 2, 41].map((node) => ids[node]).join(" "), "cfcd208495 c4ca4238a0 c81e728d9d 3416a75f4c");
  ok(bySource.slice(0, -1).every(([, from]) => from.length === 3));
  ok(bySource.at(-1)![1].length <= 3);
  ok(new Set(edges.map(String)).size < edges.length);
  ok(edges.some(([source, target]) => source === target));
  // Few nodes are the target of no edge by construction: 1% at most.
  ok(Math.max(...edges.map(([, target]) => ids.indexOf(target))) > 0.98 * ids.length);
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
  const fact = { role: "noise", key: "k", value: "v", text: "t" } as const;
  const [quick, slow] = [tokenizer, bare].map((counting) => {
    const materials = { tokenizer: counting, remember: <T>(_key: string, make: () => T) => make() };
    return new EdgeLines({ materials, tokens: 1000, degree: 2, draw: stream("lines") }).part(70, () => fact);
  });
  equal(quick!.measured.text, slow!.measured.text);
  deepEqual([quick!.parts?.length, slow!.parts?.length], [undefined, 70]);
});

Deno.test("a depth for parents is refused", () => {
  throws(() => GRAPH_WALKS.make({ depth: 2 }), {
    name: "RangeError",
    message: "Cannot make task graphwalks_parents as depth must be given only if operation is bfs: current value is 2",
  });
});

// tests/benchmarks/laws_test.ts writes and reads rows of every task.

const files = GRAPHWALKS.testFiles!;
const refuse = (wanted: string, value: unknown): Error => new SyntaxError(`${wanted}: ${value}`);

type Row = Readonly<Record<string, unknown>>;

function rowOf(operation: "parents" | "bfs"): { readonly sample: Sample; readonly row: Row } {
  const sample = make({ operation }, 1, { length: 2048 });
  return { sample, row: files.write(sample, GRAPH_WALKS.make({ operation })) };
}

Deno.test("a row has the columns of the data set; a node listed as its own parent, as in 24 rows of 2025, is left out", () => {
  const { sample, row } = rowOf("parents");
  deepEqual(Object.keys(row), ["prompt", "answer_nodes", "prompt_chars", "problem_type"]);
  const [, root] = /\nFind the parents of node (\w{10})\./.exec(userText(sample.prompt))!;
  const own = { ...row, "answer_nodes": [root, ...sample.references] };
  deepEqual(files.read(own, refuse)?.references, sample.references);
});

Deno.test("other rows are none of the data set, and rows with other values are refused", () => {
  const { row } = rowOf("bfs");
  const read = (changed: Row): unknown => files.read({ ...row, ...changed }, refuse);
  for (const name of ["prompt", "answer_nodes", "problem_type"]) equal(read({ [name]: undefined }), null);
  throws(() => read({ "problem_type": "dfs" }), /problem_type must be bfs or parents: dfs/);
  throws(() => read({ "answer_nodes": "a" }), /answer_nodes must be a list of nodes: a/);
  throws(() => read({ "problem_type": "parents" }), /then the operation of parents/);
  const cut = String(row["prompt"]).slice(0, -600);
  throws(() => read({ prompt: cut }), /prompt must be whole, with edges and then the operation of bfs/);
});

Deno.test("a depth is read in the words of NVIDIA and Anthropic too", () => {
  const { row } = rowOf("bfs");
  const prompt = String(row["prompt"]).replace(
    /(from node \w{10}) with depth 2\./,
    "$1 and return only the nodes at exactly depth 2 (not nodes at intermediate depths).",
  );
  equal(files.read({ ...row, prompt }, refuse)?.input, prompt);
});
