"""Samples of Fathom for Inspect: inspect eval fathom_task.py --model openai/gpt-4o-mini"""

import pathlib
import re

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver


def clean(text):
    """The reply as RULER's code compares it: no control characters, no spaces around it, in small letters."""
    return re.sub(r"[\x00-\x1f]", "\n", text.strip()).strip().lower()


def share_found(reply, references):
    """RULER's string_match_all: the share of the references that the reply contains."""
    reply = clean(reply)
    return sum(each.lower() in reply for each in references) / len(references)


@scorer(metrics=[mean(), stderr()])
def fathom():
    """RULER's scores: the share of the targets found, or 1 where any is enough."""

    async def score(state, target):
        value = share_found(state.output.completion, list(target))
        if state.metadata["scoring"] == "any":
            value = float(value > 0)
        return Score(value=value, answer=state.output.completion)

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
