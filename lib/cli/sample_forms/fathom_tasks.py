"""Samples of Fathom for lm-evaluation-harness: the files that its tasks read, and their scores."""

import json
import pathlib
import sys

from datasets import Dataset

sys.path.append(str(pathlib.Path(__file__).parent))
from fathom_scores import share_found, verify  # noqa: E402


def load(file, **_):
    path = pathlib.Path(__file__).parent / file
    with open(path, encoding="utf-8") as lines:
        return {"test": Dataset.from_list([json.loads(line) for line in lines])}


def all_found(doc, results):
    return {"score": share_found(results[0], doc["outputs"])}


def any_found(doc, results):
    """RULER's string_match_part: 1 if the reply contains any of the references."""
    return {"score": float(share_found(results[0], doc["outputs"]) > 0)}


def server_score(doc, results):
    """The score of `fathom verify-server`; a sample with nothing to score is in no mean."""
    verdict = verify(results[0], doc["scorer"], doc["outputs"], doc.get("distractors"))
    return {} if verdict["score"] is None else {"score": verdict["score"]}
