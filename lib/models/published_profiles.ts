import { COPYING_HABITS, DIFFICULTY, PRIOR_HABITS, USUAL_HABITS } from "./_habits.ts";
import type { Profile } from "./profile.ts";

/** A published model that a profile is named after, with what of the profile is not fitted. */
export interface PublishedProfile extends Pick<Profile, "name" | "habits" | "difficulty"> {
  /** The model as the tables of the RULER paper name it, its size left out. */
  readonly model: string;
}

/** The models of the RULER paper's Table 3 that have a profile. */
export const PUBLISHED_PROFILES: readonly PublishedProfile[] = [
  { name: "gpt-4", model: "GPT-4", habits: USUAL_HABITS },
  { name: "command-r", model: "Command-R", habits: USUAL_HABITS },
  { name: "yi-34b", model: "Yi", habits: COPYING_HABITS },
  { name: "mixtral", model: "Mixtral", habits: USUAL_HABITS },
  { name: "mistral", model: "Mistral", habits: PRIOR_HABITS },
  { name: "chatglm", model: "ChatGLM", habits: USUAL_HABITS },
  { name: "lwm", model: "LWM", habits: COPYING_HABITS },
  { name: "together", model: "Together", habits: USUAL_HABITS },
  { name: "longchat", model: "LongChat", habits: USUAL_HABITS },
  { name: "longalpaca", model: "LongAlpaca", habits: COPYING_HABITS },
  { name: "llama2-7b", model: "Llama2-7B (chat)", habits: USUAL_HABITS },
].map((profile) => ({ ...profile, difficulty: DIFFICULTY }));
