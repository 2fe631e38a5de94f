"""Samples of Fathom for Inspect: inspect eval fathom_task.py --model openai/gpt-4o-mini"""

import asyncio
import pathlib
import sys

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, solver

sys.path.append(str(pathlib.Path(__file__).parent))
from fathom_scores import share_found, verify  # noqa: E402


@scorer(metrics=[mean(), stderr()])
def fathom() -> Scorer:
    """Fathom's scores. Those that are not RULER's need `fathom verify-server`."""

    async def score(state: TaskState, target: Target) -> Score:
        reply, about = state.output.completion, state.metadata
        if about["scoring"] in ("all", "any"):
            value = share_found(reply, list(target))
            return Score(value=float(value > 0) if about["scoring"] == "any" else value, answer=reply)
        verdict = await asyncio.to_thread(verify, reply, about["scoring"], list(target), about.get("distractors"))
        # Inspect leaves a sample without a score out of its means.
        value = float("nan") if verdict["score"] is None else verdict["score"]
        return Score(value=value, answer=verdict["answer"], explanation=verdict["why"])

    return score


@solver
def answer():
    """Asks each sample with the room for an answer that its task has."""

    async def solve(state, generate):
        return await generate(state, max_tokens=state.metadata["max_tokens"])

    return solve


@task
def fathom_samples():
    return Task(
        dataset=json_dataset(str(pathlib.Path(__file__).parent / "samples.jsonl")),
        solver=answer(),
        scorer=fathom(),
        config=GenerateConfig(temperature=0),
    )
