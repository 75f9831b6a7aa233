# Uses the recipe for the test: its task comes as JSON, and what happened goes out as JSON.
import json
import sys

import cowry

task = json.load(sys.stdin)


def create(order, more):
    try:
        session = {"chain": "ethereum", "token": "USDC", "amount": "25.5", **more}
        return cowry.create_session(task["baseUrl"], task["apiKey"], order, session)["id"]
    except cowry.CowryError as error:
        return f"{error.status} {error.code} {error.fields[0]['field']}"


def verify(webhook):
    try:
        now = webhook["now"]
        return cowry.verify_webhook(
            task["secret"], webhook["headers"], webhook["body"].encode(), lambda: now
        )["type"]
    except ValueError as error:
        return str(error)


order = task["orderId"]
print(
    json.dumps(
        {
            "sessions": [create(order, {}), create(order, {}), create(order + "-2", {"amount": "-1"})],
            "verified": [verify(each) for each in task["webhooks"]],
        }
    )
)
