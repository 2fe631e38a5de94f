import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { inFolder } from "../_folder.ts";
import { openMaterials } from "@/lib/studies/mod.ts";
import { openExam } from "@/lib/studies/sample_rows.ts";
import { findFamily } from "@/lib/benchmarks/mod.ts";

const ROW = { question: "Two and\n two?", choices: ["3", "4", "5", "6"], answer: 1 };

Deno.test("openExam() reads MMLU's rows from JSON lines, a list and CSV alike", () =>
  inFolder(async (folder) => {
    const files = {
      "mmlu.jsonl": `${JSON.stringify(ROW)}\n${JSON.stringify({ ...ROW, answer: "b" })}\n`,
      "mmlu.json": JSON.stringify([ROW, { ...ROW, answer: "B" }]),
      "mmlu.csv": 'question,A,B,C,D,answer\n"Two and\n two?",3,4,5,6,1\n"Two and two?",3,4,5,6,B\n',
    };
    const names: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
      const exam = await openExam(`${folder}/${name}`);
      equal(exam.questionCount, 2);
      deepEqual([0, 1].map((number) => exam.question(number).answers), [["B"], ["B"]]);
      equal(exam.document(0).text, "Two and two? A. 3 B. 4 C. 5 D. 6");
      names.push(exam.name);
    }
    // Equal questions have equal hashes.
    equal(new Set(names).size, 1);
    match(names[0]!, /^mmlu-[0-9a-f]{8}$/);
  }));

Deno.test("openExam() refuses other rows, with the first of them, and a file that is not there", () =>
  inFolder(async (folder) => {
    const path = `${folder}/odd.jsonl`;
    for (
      const [row, found] of [[{ ...ROW, answer: 4 }, /row 2 is \{"question"/], [{ ...ROW, choices: ["3"] }, /row 2/], [
        [],
        /row 2/,
      ]] as const
    ) {
      await Deno.writeTextFile(path, `${JSON.stringify(ROW)}\n${JSON.stringify(row)}\n`);
      await rejects(openExam(path), (error: Error) => error instanceof SyntaxError && found.test(error.message));
    }
    await Deno.writeTextFile(path, "");
    await rejects(openExam(path), /at least one question: current value is 0/);
    await rejects(openExam(`${folder}/none.csv`), { name: "RangeError" });
  }));

Deno.test("materials have a file's questions, and samples its name", () =>
  inFolder(async (folder) => {
    const rows = Array.from({ length: 30 }, (_, number) => ({ ...ROW, question: `Question of the ${number}th?` }));
    await Deno.writeTextFile(`${folder}/mine.jsonl`, rows.map((row) => JSON.stringify(row)).join("\n"));
    const materials = await openMaterials({ mmlu: `${folder}/mine.jsonl` });
    match(materials.names.exam!, /^mine-/);
    const task = findFamily("ruler2_mk_niah_easy")!.task("ruler2_mk_niah_easy");
    const { id, references } = task.sample({ length: 1024, seed: "1", index: 0, materials });
    match(id, new RegExp(`/${materials.names.exam}/`));
    match(references[0]!, /^Question of the \d+th\? A\. 3 B\. 4/);
    equal((await openMaterials()).names.exam, undefined);
  }));
