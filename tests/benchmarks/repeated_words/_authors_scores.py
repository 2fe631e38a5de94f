"""Scores replies by Chroma's evaluate_repeated_words.py, of which only the functions without side effects are run.

Usage: python _authors_scores.py PATH_OF_THE_FILE < replies.jsonl > scores.jsonl
"""

import ast
import json
import sys

import Levenshtein
import pandas as pd

FUNCTIONS = {
    "normalized_levenshtein_score",
    "check_delta",
    "modified_word_present",
    "check_correct_position",
    "other_word_exists",
    "filter_refusals",
}

tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in FUNCTIONS]
authors = {"pd": pd, "Levenshtein": Levenshtein, "print": lambda *_: None}
exec(compile(tree, sys.argv[1], "exec"), authors)

for line in sys.stdin:
    given = json.loads(line)
    common, modified = given["common"], given["modified"]
    row = {key: given[key] for key in ("gold", "output", "index", "num_words")}
    row["modified_word_present"] = authors["modified_word_present"](row, modified, "output")
    refused = authors["filter_refusals"](pd.DataFrame([row]), common, modified, "output")
    scores = {
        "edits": authors["normalized_levenshtein_score"](row["gold"], row["output"]),
        "isPresent": bool(row["modified_word_present"]),
        "isInPlace": bool(authors["check_correct_position"](row, modified, "output")),
        "missingWords": authors["check_delta"](row["output"], row["gold"]),
        "hasOtherWords": authors["other_word_exists"](row["output"], common, modified),
        "isExcluded": refused is not None,
    }
    sys.stdout.write(json.dumps(scores) + "\n")
