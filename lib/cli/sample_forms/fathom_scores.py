"""Scores of Fathom's samples: RULER's are computed here, all others by `fathom verify-server`."""

import json
import os
import re
import urllib.error
import urllib.request

SERVER = os.environ.get("FATHOM_VERIFY_URL", "http://127.0.0.1:8124")


def clean(text):
    """The reply as RULER's code compares it: no control characters, no spaces around it, in small letters."""
    return re.sub(r"[\x00-\x1f]", "\n", text.strip()).strip().lower()


def share_found(reply, references):
    """RULER's string_match_all: the share of the references that the reply contains."""
    reply = clean(reply)
    return sum(each.lower() in reply for each in references) / len(references)


def verify(reply, scorer, references, distractors=None):
    """The verdict of the server: a dictionary with score, answer, why and others."""
    body = {"reply": reply, "scorer": scorer, "references": list(references)}
    if distractors is not None:
        body["distractors"] = list(distractors)
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{SERVER}/verify", json.dumps(body).encode(), headers)
    # No proxy: the server is on this machine or in its network.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"Cannot score by {scorer} as {SERVER} refuses it: {error.read().decode()}") from error
    except OSError as error:
        raise RuntimeError(
            f"Cannot score by {scorer} as `fathom verify-server` must run at {SERVER}, "
            f"or at the address in FATHOM_VERIFY_URL: {error}"
        ) from error
