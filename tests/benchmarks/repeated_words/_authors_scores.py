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

rows = pd.DataFrame([json.loads(line) for line in sys.stdin])
refused = set()
for (common, modified), of_pair in rows.groupby(["common", "modified"]):
    found = authors["filter_refusals"](of_pair, common, modified, "output")
    refused.update([] if found is None else found.index)

for at, row in rows.iterrows():
    common, modified = row["common"], row["modified"]
    row["modified_word_present"] = authors["modified_word_present"](row, modified, "output")
    scores = {
        "edits": authors["normalized_levenshtein_score"](row["gold"], row["output"]),
        "isPresent": bool(row["modified_word_present"]),
        "isInPlace": bool(authors["check_correct_position"](row, modified, "output")),
        "missingWords": int(authors["check_delta"](row["output"], row["gold"])),
        "hasOtherWords": authors["other_word_exists"](row["output"], common, modified),
        "isExcluded": at in refused,
    }
    sys.stdout.write(json.dumps(scores) + "\n")
