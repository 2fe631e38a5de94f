import type { TaskReader } from "../reading.ts";
import { CDME_READER } from "./cdme.ts";
import { CHAIN_READER } from "./chains.ts";
import { CODED_WORDS_READER } from "./coded_words.ts";
import { COMMON_WORDS_READER } from "./common_words.ts";
import { STAR_READER } from "./counting_stars.ts";
import { DOCUMENT_READER } from "./documents.ts";
import { NEEDLE_READER } from "./needles.ts";
import { PARSING_READER } from "./parsing.ts";
import { QUESTION_READER } from "./questions.ts";
import { RECALL_READER } from "./recall.ts";
import { RECALL_JUDGE_READER } from "./recall_judge.ts";
import { THREADING_READER } from "./threading.ts";
import { WORLD_READER } from "./world_documents.ts";

/** All the tasks that the simulated reader knows; the first that recognises a prompt reads it. */
export const TASK_READERS: readonly TaskReader[] = [
  PARSING_READER,
  RECALL_JUDGE_READER,
  NEEDLE_READER,
  CHAIN_READER,
  COMMON_WORDS_READER,
  CODED_WORDS_READER,
  WORLD_READER,
  DOCUMENT_READER,
  QUESTION_READER,
  STAR_READER,
  THREADING_READER,
  CDME_READER,
  RECALL_READER,
];
