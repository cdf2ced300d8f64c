"""Places a bid over REST: reads the highest one, decides, and writes only if that is still the highest one.

    python3 bid.py 12
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

GATEWAY = "http://" + os.environ.get("CLARET_GATEWAY", "127.0.0.1:7400")


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(GATEWAY + path, data, {"content-type": "application/json"})) as answer:
            return json.load(answer)
    except HTTPError as error:
        return json.load(error)


def place(item, offer):
    """Whether the offer became the highest one."""
    highest = call(f"/v1/records/{item}?type=Register&operation=get")["value"]
    while highest is None or offer > highest:
        answer = call("/v1/transactions", {
            "label": "Bid",
            "operations": [
                {"key": item, "type": "Register", "operation": "get", "expect": highest},
                {"key": item, "type": "Register", "operation": "set", "arguments": [offer]},
                {"key": f"{item}:bids", "type": "Counter", "operation": "add", "arguments": [1]},
            ],
        })
        if "results" in answer:
            return True
        if answer["code"] != "expectation_failed":
            raise RuntimeError(answer["detail"])
        highest = answer["unmet"][0]["result"]  # nothing has happened: decide again
    return False


print("highest" if place("item:7", int(sys.argv[1])) else "too low")
