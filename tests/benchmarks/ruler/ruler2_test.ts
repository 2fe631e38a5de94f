import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { openTestMaterials } from "../../generators/_materials.ts";
import { RULER, RULER_GROUPS, RULER_TASK_NAMES } from "@/lib/benchmarks/ruler/tasks.ts";
import { RULER2_NIAH, RULER2_QUESTIONS } from "@/lib/benchmarks/ruler/ruler2.ts";
import { type DocumentSet, type Materials, type Task, userText } from "@/lib/generators/mod.ts";

const materials = await openTestMaterials("cl100k_base");
const TASKS = [RULER2_NIAH, RULER2_QUESTIONS].flatMap((family): readonly Task[] =>
  family.tasks.map((name) => family.task(name as never))
);

Deno.test("RULER's default tasks and groups have none of RULER v2's", () => {
  deepEqual([RULER.tasks.length, RULER.tasks], [13, RULER_TASK_NAMES]);
  ok(RULER_GROUPS.every(({ tasks }) => tasks.every((name) => !name.startsWith("ruler2"))));
  deepEqual(TASKS.map(({ name }) => name), [
    ...["ruler2_mk_niah_basic", "ruler2_mv_niah_basic"],
    ...["easy", "medium", "hard"].map((grade) => `ruler2_mk_niah_${grade}`),
    ...["easy", "medium", "hard"].map((grade) => `ruler2_mv_niah_${grade}`),
  ]);
});

Deno.test("each key has as many values as the key asked for", () => {
  const { facts } = RULER2_NIAH.task("ruler2_mv_niah_basic").sample({ length: 8192, seed: "1", index: 3, materials });
  const counts = [...Map.groupBy(facts, ({ key }) => key).values()].map((ofKey) => ofKey.length);
  equal(counts.filter((count) => count !== 4).length <= 1, true);
  ok(facts.every(({ value }) => /^[1-9]\d{9}$/.test(value)));
  equal(new Set(facts.map(({ value }) => value)).size, facts.length);
});

const EXAM: DocumentSet = {
  name: "own",
  documentCount: 40,
  questionCount: 40,
  document: (number) => ({ title: "", text: `What is number ${number}? A. one B. two C. three D. four` }),
  question: (number) => ({ question: "", answers: ["ABCD"[number % 4]!], gold: [number], near: [] }),
};

function withExam(exam: DocumentSet): Materials {
  return Object.create(materials, {
    documents: { value: { ...materials.documents, exam } },
    remember: { value: (_key: string, make: () => unknown) => make() },
  }) as Materials;
}

Deno.test("questions of a file are asked, each as often as the others, and no asked one is repeated in its text", () => {
  const own = withExam(EXAM);
  const task = RULER2_QUESTIONS.task("ruler2_mk_niah_hard");
  const samples = Array.from(
    { length: 40 },
    (_, index) => task.sample({ length: 4096, seed: "1", index, materials: own }),
  );
  const asked = samples.map(({ facts }) => facts.find(({ role }) => role === "target")!.value);
  equal(new Set(asked).size, 40);
  for (const [at, { prompt, references, id }] of samples.entries()) {
    match(id, /\/own\//);
    equal(userText(prompt).split(`: ${asked[at]}\n\n`).length, 2);
    equal(references[0], "ABCD"[Number(/\d+/.exec(asked[at]!)![0]) % 4]);
  }
});

Deno.test("a file without short questions is refused", () => {
  const long = { ...EXAM, document: (number: number) => ({ title: "", text: `${number} ${"long ".repeat(200)}` }) };
  throws(
    () =>
      RULER2_QUESTIONS.task("ruler2_mk_niah_easy")
        .sample({ length: 9000, seed: "1", index: 0, materials: withExam(long) }),
    {
      name: "RangeError",
      message:
        'Cannot use task ruler2_mk_niah_easy of ruler2-1: Cannot ask questions of "own" as more than 1 must have at most 600 characters: current value is 0',
    },
  );
});

Deno.test("the words are those of prepare_niah.py and prepare_mmlu.py", () => {
  const wordsOf = (task: Task): string => {
    const { before, after } = task.words(materials);
    return `${before}…${after}`.replaceAll(/\d{7}/g, "N").replaceAll(/for [a-z]+-[a-z]+/g, "for K");
  };
  equal(
    wordsOf(TASKS[1]!),
    "Some special magic numbers are hidden within the following text. Make sure to memorize them. I will quiz you about the numbers " +
      "afterwards.\n…\nWhat are all the special magic numbers for K mentioned in the provided text? The special magic numbers for K " +
      "mentioned in the provided text are",
  );
  equal(
    wordsOf(RULER2_QUESTIONS.task("ruler2_mv_niah_medium")).replace(/\d\w\w \(1/, "1st (1"),
    "Below are some questions. I will ask you to copy one of them. Please copy and paste the question you find.\n\n…\nPlease first copy " +
      "all the Question N from the context and then copy the 1st (1 indexed) Question N at the end.",
  );
  match(
    wordsOf(RULER2_QUESTIONS.task("ruler2_mk_niah_medium")),
    /inside \\boxed\\\{\\\}\.\n\n…\nHere are some examples to help you understand the task:\n\nPlease copy the Question N from the context and then solve it with an answer from A, B, C, D\.\nQuestion N: .*\nSolution: \\boxed\{[A-D]\}\n\n/,
  );
});
