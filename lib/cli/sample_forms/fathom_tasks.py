"""Samples of Fathom for lm-evaluation-harness: what its tasks read, and RULER's scores."""

import json
import pathlib
import re

from datasets import Dataset


def load(file, **_):
    path = pathlib.Path(__file__).parent / file
    with open(path, encoding="utf-8") as lines:
        return {"test": Dataset.from_list([json.loads(line) for line in lines])}


def clean(text):
    """The reply as RULER's code compares it: no control characters, no spaces around it, in small letters."""
    return re.sub(r"[\x00-\x1f]", "\n", text.strip()).strip().lower()


def share_found(reply, references):
    """RULER's string_match_all: the share of the references that the reply contains."""
    reply = clean(reply)
    return sum(each.lower() in reply for each in references) / len(references)


def all_found(doc, results):
    return {"score": share_found(results[0], doc["outputs"])}


def any_found(doc, results):
    """RULER's string_match_part: 1 if the reply contains any of the references."""
    return {"score": float(share_found(results[0], doc["outputs"]) > 0)}
