"""The one table: every case there is."""

import cases_block
import cases_coding
import cases_redirect
import cases_robots
import cases_slow
import cases_status
import cases_text
import cases_tls
import cases_transfer

MODULES = (cases_transfer, cases_coding, cases_status, cases_redirect, cases_robots, cases_text, cases_block, cases_tls, cases_slow)


def table():
    """Name → case, in order; a name that stands twice is a mistake."""
    found = {}
    for module in MODULES:
        for case in module.cases():
            if case.name in found:
                raise ValueError(f"two cases are called {case.name}")
            found[case.name] = case
    return found
