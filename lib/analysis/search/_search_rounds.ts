import type { Round } from "../intervals/anytime_test.ts";
import type { SearchSample, SearchScore } from "./adaptive_search.ts";
import type { SearchDesign } from "./search_design.ts";

/** What one length was asked: rounds of one sample a task, and how to go on. */
export interface SearchRounds {
  /** The rounds that have all their scores. */
  readonly rounds: readonly Round[];
  /** Gives the samples that lead to as many rounds, as far as the design has them; none where one task has no more. */
  readonly leadTo: (rounds: number) => readonly SearchSample[];
}

/** The scores of one task at one length: its values by index, and which samples it was not asked. */
interface TaskScores {
  readonly task: string;
  readonly values: readonly number[];
  readonly asked: ReadonlySet<number>;
}

/** Puts the scores of one length together to rounds: each task's first score, its second, and so on by index. */
export function searchRounds(
  scores: readonly SearchScore[],
  { design, length }: { readonly design: SearchDesign; readonly length: number },
): SearchRounds {
  const { samples, first = 0 } = design;
  const byTask = new Map<string, SearchScore[]>(design.tasks.map((task) => [task, []]));
  for (const score of scores) {
    if (score.index >= first && score.index < first + samples) byTask.get(score.task)?.push(score);
  }
  const tasks = design.tasks.map((task) => readTask(task, byTask.get(task)!));
  const count = Math.min(...tasks.map(({ values }) => values.length));
  const complete = Array.from({ length: count }, (_, round) => tasks.map(({ values }) => values[round]!));
  const isAtEnd = tasks.some(({ values, asked }) => values.length === count && asked.size === samples);
  const lead = ({ task, values, asked }: TaskScores, rounds: number): SearchSample[] => {
    const next: SearchSample[] = [];
    for (let index = first; index < first + samples && next.length < rounds - values.length; index++) {
      if (!asked.has(index)) next.push({ task, length, index });
    }
    return next;
  };
  return { rounds: complete, leadTo: (rounds) => isAtEnd ? [] : tasks.flatMap((task) => lead(task, rounds)) };
}

function readTask(task: string, scores: SearchScore[]): TaskScores {
  const asked = new Set<number>();
  const values: number[] = [];
  for (const { index, value } of scores.sort((left, right) => left.index - right.index)) {
    asked.add(index);
    if (value !== null) values.push(value);
  }
  return { task, values, asked };
}
