"""Scores replies by the code of other programs, whose functions are taken out of copies of their files.

usage: _grade.py FOLDER < replies.json > scores.json
"""
import ast
import json
import re
import sys
import typing

FOLDER = sys.argv[1]


def take(path: str, names: list[str]) -> dict:
    """Runs the definitions of some names of a file, and nothing else of it."""
    with open(f"{FOLDER}/{path}", encoding="utf-8") as file:
        tree = ast.parse(file.read())
    body = [
        node
        for node in tree.body
        if getattr(node, "name", None) in names
        or isinstance(node, ast.Assign) and node.targets[0].id in names
    ]
    found = {**vars(typing), "re": re}
    exec(compile(ast.Module(body, []), path, "exec"), found)
    return found


HARNESS = take(
    "lm_eval/tasks/graphwalks/utils.py",
    ["extract_answer_list", "extract_answer_list_flexible", "process_results"],
)
OPENBENCH = take("src/openbench/scorers/graphwalks.py", ["_parse_nodes", "_prf1"])
NEMO = take(
    "resources_servers/graphwalks/app.py",
    ["_FINAL_ANSWER_RE", "_parse_node_list", "_f1_score"],
)
with open(f"{FOLDER}/README.md", encoding="utf-8") as file:
    PARSE, GRADE = re.findall(r"```python\n(.*?)```", file.read(), re.S)
CARD = {"re": re}
exec(PARSE, CARD)


def card(reply: str, truth: list[str]) -> float:
    listed, _ = CARD["get_list"](None, reply)
    sets = {"sampled_set": set(listed), "truth_set": set(truth)}
    names = {**sets, "n_golden": len(sets["truth_set"]), "n_sampled": len(sets["sampled_set"])}
    exec(GRADE, names)
    return names["f1"]


def grade(reply: str, truth: list[str]) -> dict[str, float]:
    harness = HARNESS["process_results"]({"answer_nodes": truth}, [reply])
    nodes, failed = NEMO["_parse_node_list"](reply)
    return {
        "nemo": NEMO["_f1_score"](set(nodes), set(truth), failed),
        "lm-eval": harness["f1"],
        "lm-eval-flexible": harness["flexible_f1"],
        "openbench": OPENBENCH["_prf1"](OPENBENCH["_parse_nodes"](reply)[0], truth)[2],
        "card": card(reply, truth),
    }


json.dump([grade(reply, truth) for reply, truth in json.load(sys.stdin)], sys.stdout)
