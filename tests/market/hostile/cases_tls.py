"""Certificates and handshakes. `tls` names a certificate of certificates.py, or what the server does in the place of a handshake."""

from case import SHORT, Case, reply


def cases():
    """All of them."""
    for name in ("wildcard", "two-names", "chain", "key-rsa", "key-p384"):
        yield Case(f"tls-{name}", reply(), "ok", tls=name)
    for name in ("self-signed", "unknown-authority", "expired", "not-yet", "wrong-host", "no-name", "name-in-subject-only", "wildcard-too-deep", "address-only",
                 "client-only", "chain-missing", "chain-not-an-authority", "null-in-name", "key-rsa-512"):
        yield Case(f"tls-{name}", reply(), "failed", tls=name, requests=0)
    for name in ("version-1-0", "version-1-1"):
        yield Case(f"tls-{name}", reply(), "failed", tls=name, requests=0)
    for name in ("wants-client-certificate", "alert", "closed", "reset", "rubbish", "plain-http", "cut-hello", "endless-hello"):
        yield Case(f"tls-{name}", reply(), "failed", tls=name, requests=0)
    yield Case("tls-silent", reply(), "failed", tls="silent", requests=0, conf=SHORT)
    yield Case("tls-only-1-2", reply(), "ok", tls="version-1-2")
    yield Case("tls-only-1-3", reply(), "ok", tls="version-1-3")
    yield Case("tls-plain-port", reply(), "failed", scheme="http", tls="expects-tls", requests=0)
