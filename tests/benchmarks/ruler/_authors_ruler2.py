"""Scores replies by NVIDIA's verifier of RULER v2 (NeMo Gym, resources_servers/ruler2/app.py), of which only the functions are run.

Usage: python _authors_ruler2.py PATH_OF_THE_FILE < replies.jsonl > scores.jsonl
"""

import ast
import json
import re
import sys
from typing import Any, Dict, List, Optional

import editdistance

tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
tree.body = [
    node
    for node in tree.body
    if isinstance(node, ast.FunctionDef) or isinstance(node, ast.Assign) and "re.compile" in ast.unparse(node)
]
authors = {"re": re, "editdistance": editdistance, "Any": Any, "Dict": Dict, "List": List, "Optional": Optional}
exec(compile(tree, sys.argv[1], "exec"), authors)

for line in sys.stdin:
    given = json.loads(line)
    reply, references = given["reply"], given["references"]
    scores = {
        "all": authors["string_match_all_single"](reply, references),
        "last": authors["string_match_2steps_single"](reply, references),
        "letter": authors["extract_mcq_letter"](reply),
    }
    sys.stdout.write(json.dumps(scores) + "\n")
