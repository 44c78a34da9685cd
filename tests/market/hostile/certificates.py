"""Certificates as they should be and as they should not, made with the openssl program for one run."""

import ssl
import subprocess

EC = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
P384 = ("ec", "-pkeyopt", "ec_paramgen_curve:secp384r1")
DOMAIN = "hostile.test"

# name → what differs from a good one for HOST.hostile.test: san (of the name), key, from and until (days), usage, authority, subject
SPECIAL = {
    "wildcard": {"san": "DNS:*.{domain}"},
    "two-names": {"san": "DNS:a.example,DNS:{host}"},
    "chain": {"authority": "middle", "sends": "middle"},
    "key-rsa": {"key": ("rsa:2048",)},
    "key-p384": {"key": P384},
    "self-signed": {"authority": None},
    "unknown-authority": {"authority": "stranger"},
    "expired": {"from": "20200101000000Z", "until": "20200201000000Z"},
    "not-yet": {"from": "20490101000000Z", "until": "20491201000000Z"},
    "wrong-host": {"san": "DNS:another.{domain}"},
    "no-name": {"san": "email:a@example.com"},
    "name-in-subject-only": {"san": "DNS:another.example", "subject": "{host}"},
    "wildcard-too-deep": {"san": "DNS:*.test,DNS:*.a.{domain}"},
    "address-only": {"san": "IP:127.0.0.1"},
    "client-only": {"usage": "clientAuth"},
    "chain-missing": {"authority": "middle"},
    "chain-not-an-authority": {"authority": "leaf", "sends": "leaf"},
    "null-in-name": {"san": "DNS:{host}\\x00.example", "raw": True},
    "key-rsa-512": {"key": ("rsa:512",)},
}


def openssl(*words):
    """Runs openssl; its own message is shown when it fails."""
    done = subprocess.run(("openssl",) + words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(words[:3])}: {done.stderr.strip()}")


class Certificates:
    """Makes authorities and leaves below a folder; contexts are made when first asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.authority("ca", None)
        self.authority("stranger", None)
        self.authority("middle", "ca")
        self.leaf("leaf", "leaf." + DOMAIN, {})
        self.leaf("good", "good." + DOMAIN, {"san": f"DNS:*.{DOMAIN}"})
        for name, special in SPECIAL.items():
            self.leaf(name, f"tls-{name}.{DOMAIN}", special)

    def path(self, name, ending):
        """A file of ours."""
        return str(self.folder / f"{name}.{ending}")

    def authority(self, name, signer):
        """An authority, signed by itself or by another."""
        words = ["req", "-x509", "-newkey", *EC, "-nodes", "-days", "30", "-subj", f"/CN=gputape hostile {name}", "-keyout", self.path(name, "key"),
                 "-out", self.path(name, "pem"), "-addext", "basicConstraints=critical,CA:TRUE"]
        if signer:
            words += ["-CA", self.path(signer, "pem"), "-CAkey", self.path(signer, "key")]
        openssl(*words)

    def leaf(self, name, host, special):
        """A certificate for a host, with what is special about it."""
        key = special.get("key", EC)
        san = special.get("san", "DNS:{host}").format(host=host, domain=DOMAIN)
        subject = special.get("subject", "gputape hostile leaf").format(host=host)
        request, extensions = self.path(name, "csr"), self.path(name, "ext")
        signer = special.get("authority", "ca")
        with open(extensions, "w", encoding="ascii") as file:
            file.write(f"subjectAltName={san}\nbasicConstraints=CA:FALSE\nextendedKeyUsage={special.get('usage', 'serverAuth')}\n")
        openssl("req", "-new", "-newkey", *key, "-nodes", "-subj", f"/CN={subject}", "-keyout", self.path(name, "key"), "-out", request)
        words = ["x509", "-req", "-in", request, "-extfile", extensions, "-out", self.path(name, "pem"), "-days", "30"]
        if "from" in special:
            words = self.dated(name, special, request, extensions)
        elif signer is None:
            words += ["-key", self.path(name, "key")]
        else:
            words += ["-CA", self.path(signer, "pem"), "-CAkey", self.path(signer, "key"), "-CAcreateserial"]
        openssl(*words)
        if special.get("sends"):
            with open(self.path(name, "pem"), "a", encoding="ascii") as file, open(self.path(special["sends"], "pem"), encoding="ascii") as more:
                file.write(more.read())

    def dated(self, name, special, request, extensions):
        """`openssl ca` is what takes dates (openssl 3.0's x509 does not)."""
        conf = self.path(name, "cnf")
        with open(self.path(name, "index"), "w", encoding="ascii"), open(self.path(name, "serial"), "w", encoding="ascii") as serial:
            serial.write("01\n")
        with open(conf, "w", encoding="ascii") as file:
            file.write(f"[ca]\ndefault_ca=d\n[d]\ndatabase={self.path(name, 'index')}\nserial={self.path(name, 'serial')}\nnew_certs_dir={self.folder}\n"
                       f"default_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n")
        return ["ca", "-batch", "-notext", "-config", conf, "-cert", self.path("ca", "pem"), "-keyfile", self.path("ca", "key"), "-in", request, "-out",
                self.path(name, "pem"), "-extfile", extensions, "-startdate", special["from"], "-enddate", special["until"]]

    def context(self, name):
        """A server's context: of that certificate, or the good one with something about the protocol."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # what the server does wrong must not be refused by its own library
        context.set_ciphers("ALL:@SECLEVEL=0")
        certificate = name if name in SPECIAL else "good"
        context.load_cert_chain(self.path(certificate, "pem"), self.path(certificate, "key"))
        if name.startswith("version-"):
            version = getattr(ssl.TLSVersion, "TLSv" + name[8:].replace("-", "_").replace("1_0", "1"))
            context.minimum_version = version if version != ssl.TLSVersion.TLSv1 else ssl.TLSVersion.TLSv1
            context.maximum_version = version
        if name == "wants-client-certificate":
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.path("ca", "pem"))
        return context
