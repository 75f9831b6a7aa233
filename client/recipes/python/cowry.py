"""Cowry in Python, with the standard library alone: create a session, verify a webhook."""

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request


class CowryError(Exception):
    """An answer that is not 2xx: `status`, `code` for programs, and the message for people."""

    def __init__(self, status, body):
        super().__init__(body.get("message", ""))
        self.status = status
        self.code = body.get("error", f"http_{status}")
        self.fields = body.get("fields", [])


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A followed redirect would send the key to another site."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def create_session(base_url, api_key, order_id, session):
    """Creates the session of an order. Called again with the same order, it answers the same session."""
    request = urllib.request.Request(
        f"{base_url}/pos/sessions",
        data=json.dumps({"reference": order_id, **session}).encode(),
        headers={
            "X-API-Key": api_key,
            "Content-Type": "application/json",
            "Idempotency-Key": order_id,
        },
    )
    try:
        with _opener.open(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        try:
            body = json.load(error)
        except ValueError:
            body = {}
        raise CowryError(error.code, body) from None


def verify_webhook(secret, headers, raw_body, now=time.time):
    """Returns the event of a webhook. `raw_body` are the bytes as received; raises ValueError otherwise."""
    given = {name.lower(): value for name, value in headers.items()}
    message_id = given.get("webhook-id", "")
    sent_at = given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "")
    if not message_id or not signatures or not (sent_at.isascii() and sent_at.isdigit()):
        raise ValueError("it is not signed")
    # An old one may be a recording that someone sends again.
    if abs(now() - int(sent_at)) > 300:
        raise ValueError("too old, or from the future")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{sent_at}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
        raise ValueError("the signature is wrong")
    return json.loads(raw_body)
