"""Ask a running `lacuna serve`, and show each step: python examples/client.py ADDRESS QUESTION.

ADDRESS is what the server printed, with its token.
"""

import json
import sys
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

address, question = urlsplit(sys.argv[1]), sys.argv[2]
token = parse_qs(address.query).get("token", [""])[0]
headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
body = json.dumps({"question": question}).encode()
asked = Request(f"http://{address.netloc}/api/v1/ask/stream", body, headers)
with urlopen(asked) as stream:
    for line in stream:
        if line.startswith(b"data: "):
            event = json.loads(line[6:])
            if event["event"] == "step":
                print("…", event["step"]["message"])
            elif event["event"] == "answer":
                print(event["answer"]["answer"]["text"])
                print(*(f"  “{quote['text']}”" for quote in event["answer"]["quotes"]), sep="\n")
            elif event["event"] == "problem":
                sys.exit(event["message"])
