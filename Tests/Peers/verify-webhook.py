"""verify-webhook.py LOG SECRET...: checks the requests in a log of webhook-peer.py with PyPI's packages.

Every request must be signed with each secret (`standardwebhooks`). A request with a CloudEvent must be
read by `cloudevents`; its attributes are printed as a line of JSON, `null` for another request.
"""

import base64
import json
import sys

from cloudevents.core.bindings.http import HTTPMessage, from_structured_event
from standardwebhooks import Webhook

log, *secrets = sys.argv[1:]
for line in open(log):
    request = json.loads(line)
    headers, body = request["headers"], base64.b64decode(request["body"])
    for secret in secrets:
        Webhook(secret).verify(body, headers, json_parse=False)
    event = None
    if headers["content-type"] == "application/cloudevents+json":
        event = from_structured_event(HTTPMessage(headers, body))
        event = {**event.get_attributes(), "data": event.get_data()}
    print(json.dumps(event, default=str))
