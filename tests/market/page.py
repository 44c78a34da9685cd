"""What a page of the sample market is made of: a kind, a charset, bytes; and small helpers to write HTML and JSON."""

import html
import json

SAMPLE = "SAMPLE / 示例数据"


class Page:
    """One answer. `text` is encoded when it is asked for."""

    def __init__(self, text, kind="text/html", charset="utf-8", says_charset=True):
        self.text = text
        self.kind = kind
        self.charset = charset
        self.says_charset = says_charset

    def body(self):
        """The bytes as they go over the wire, before any content coding."""
        return self.text.encode(self.charset)

    def content_type(self):
        """The Content-Type header."""
        return f"{self.kind}; charset={self.charset}" if self.says_charset else self.kind


def escape(value):
    """A text for HTML."""
    return html.escape(str(value))


def document(title, body, lang="zh-CN", meta="utf-8"):
    """A whole HTML page; every page says that it is a sample."""
    return (f'<!DOCTYPE html>\n<html lang="{lang}">\n<head><meta charset="{meta}"><title>{escape(title)}</title></head>\n'
            f'<body>\n<nav><a href="/">Home</a> <a href="/docs/">Docs</a></nav>\n<main>\n{body}\n</main>\n'
            f'<footer>{SAMPLE}</footer>\n</body>\n</html>\n')


def table(headings, rows):
    """An HTML table; cells are escaped."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in headings)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


class Number(float):
    """A decimal that JSON prints with exactly the digits it was written with."""

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.text = text
        return made

    def __repr__(self):
        return self.text


def json_page(value):
    """A JSON answer. Numbers given as Number keep their digits: json writes a float by its own float.__repr__, so each is put
    in as a marked text and the marks are taken off."""
    def mark(node):
        if isinstance(node, Number):
            return f"\x00{node.text}\x00"
        if isinstance(node, dict):
            return {key: mark(inner) for key, inner in node.items()}
        return [mark(inner) for inner in node] if isinstance(node, list) else node

    text = json.dumps(mark(value), ensure_ascii=False, separators=(",", ":"))
    return Page(text.replace('"\\u0000', "").replace('\\u0000"', ""), "application/json")


def number(text):
    """A price of the catalogue as a JSON number, or None when there is none."""
    return Number(text) if text else None
