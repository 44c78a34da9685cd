"""Debian's aiosmtpd with a login and STARTTLS: mail_server.py PORT FOLDER USER PASSWORD [CERTIFICATE KEY]. Without a certificate it has neither TLS nor
anything against a login in the clear. Mails go into FOLDER/mail, each user name and password that came into FOLDER/logins. Ends at SIGTERM."""

import signal
import ssl
import sys
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox
from aiosmtpd.smtp import AuthResult


def main(port, folder, user, password, *certificate):
    """Serves until it is ended."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    def judge(_server, _session, _envelope, _mechanism, login):
        with open(Path(folder) / "logins", "ab") as logins:
            logins.write(login.login + b" " + login.password + b"\n")
        # not handled: the server itself says 235 or 535
        return AuthResult(success=(login.login, login.password) == (user.encode(), password.encode()), handled=False)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
    if context:
        context.load_cert_chain(*certificate)
    server = Controller(Mailbox(str(Path(folder) / "mail")), hostname="127.0.0.1", port=int(port), tls_context=context, require_starttls=bool(context),
                        auth_required=True, auth_require_tls=bool(context), authenticator=judge)
    server.start()
    signal.sigwait({signal.SIGTERM})
    server.stop()


main(*sys.argv[1:])
