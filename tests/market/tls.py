"""A certificate authority for one run, and one certificate for all hosts of the market, made with the openssl program."""

import ssl
import subprocess


def run(*arguments):
    """Runs openssl quietly; its own message is shown when it fails."""
    done = subprocess.run(("openssl",) + arguments, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]}: {done.stderr.strip()}")


def make_authority(folder):
    """DIR/ca.pem and its key."""
    run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
        "-subj", "/CN=gputape sample market", "-keyout", str(folder / "ca.key"), "-out", str(folder / "ca.pem"))


def make_leaf(folder, hosts):
    """DIR/leaf.pem and its key, signed by the authority, good for every host name."""
    names = ",".join(f"DNS:{host}" for host in hosts)
    (folder / "leaf.ext").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n", encoding="ascii")
    run("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=market.example", "-keyout", str(folder / "leaf.key"), "-out", str(folder / "leaf.csr"))
    run("x509", "-req", "-in", str(folder / "leaf.csr"), "-CA", str(folder / "ca.pem"), "-CAkey", str(folder / "ca.key"),
        "-CAcreateserial", "-days", "30", "-extfile", str(folder / "leaf.ext"), "-out", str(folder / "leaf.pem"))


def server_context(folder, hosts):
    """A TLS context for the server."""
    make_authority(folder)
    make_leaf(folder, hosts)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "leaf.pem", folder / "leaf.key")
    return context
