#!/usr/bin/env python3
"""Measures what CONTRIBUTING.md promises about the code: folder directions, library ownership, budgets of files and functions,
documented prototypes, comments, forbidden words. Prints one line a finding and the figures; exits 1 when there is a finding."""
import os
import re
import statistics
import subprocess
import sys

KNOWS = {
    'common': set(), 'pricing': {'common'}, 'parsers': {'common', 'pricing'}, 'net': {'common'},
    'crawler': {'common', 'pricing', 'parsers', 'net'}, 'store': {'common', 'pricing'},
    'reports': {'common', 'pricing', 'store'}, 'export': {'common', 'pricing', 'store'},
    'clickhouse': {'common', 'pricing', 'net', 'store', 'export'},
    'alerts': {'common', 'pricing', 'store', 'net', 'reports'},
    'web': {'common', 'pricing', 'store', 'reports'},
    'cli': {'common', 'pricing', 'parsers', 'net', 'crawler', 'store', 'reports', 'export', 'clickhouse', 'alerts', 'web'},
}
OWNED = {'lmdb.h': 'store', 'curl/curl.h': 'net', 'libxml/': 'parsers', 'pcre2.h': 'parsers', 'jq.h': 'parsers', 'jv.h': 'parsers'}
FILE_LINES_MAX, FILE_LINES_MEDIAN = 500, 200
FUNCTION_LINES_MAX, FUNCTION_LINES_MEDIAN = 60, 15
LINE_CHARS_MAX = 150
FORBIDDEN_CALLS = ('strcpy', 'strcat', 'gets', 'strtok', 'atoi', 'atof', 'strtod', 'localtime', 'mktime', 'setlocale')
UNFINISHED = re.compile(r'\b(TODO|FIXME|XXX|HACK)\b|not implemented|\bfor now\b|placeholder', re.I)
FLOATING = re.compile(r'\b(double|float)\b')

findings = []


def find(where, text):
    findings.append(f'{where}: {text}')


def tracked(*patterns):
    """Files git knows (or would take) that match the patterns."""
    out = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard', '--', *patterns], capture_output=True, text=True, check=True)
    return sorted(set(p for p in out.stdout.splitlines() if os.path.exists(p)))


def strip_code(text):
    """The text with comments, strings and characters blanked, line structure kept."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S)


def check_includes(path, text):
    folder = path.split('/')[0]
    for m in re.finditer(r'^#include [<"]([^>"]+)[>"]', text, re.M):
        name = m.group(1)
        target = name.split('/')[0]
        if target in KNOWS and target != folder and target not in KNOWS[folder]:
            find(path, f'{folder}/ may not know {name}')
        for library, owner in OWNED.items():
            if name.startswith(library) and folder != owner:
                find(path, f'{name} belongs to {owner}/')


def functions(code):
    """(name, first line, lines) of each function body: a `{` alone in column 0 after a line that closes a parameter list."""
    lines = code.split('\n')
    for i, line in enumerate(lines):
        if line != '{' or i == 0 or not lines[i - 1].rstrip().endswith(')'):
            continue
        end = next((j for j in range(i, len(lines)) if lines[j].startswith('}')), i)
        head = i - 1
        while head > 0 and lines[head][:1] in (' ', '\t'):
            head -= 1
        name = re.search(r'(\w+)\s*\(', lines[head])
        yield (name.group(1) if name else '?', head + 1, end - i - 1)


def check_source(path, text, lengths):
    code = strip_code(text)
    for name, line, count in functions(code):
        lengths.append(count)
        if count > FUNCTION_LINES_MAX:
            find(f'{path}:{line}', f'{name} has {count} lines, {FUNCTION_LINES_MAX} at most')
    for call in FORBIDDEN_CALLS:
        for m in re.finditer(rf'\b{call}\s*\(', code):
            find(f'{path}:{code.count(chr(10), 0, m.start()) + 1}', f'{call} is not used here')
    if path.split('/')[0] in ('common', 'pricing', 'parsers', 'store', 'alerts', 'crawler', 'export', 'clickhouse', 'cli') and FLOATING.search(code):
        line = code.count('\n', 0, FLOATING.search(code).start()) + 1
        find(f'{path}:{line}', 'no floating point outside reports/: money is integers')


def check_header(path, text):
    """Each prototype of a public header stands under (or in a group under) a comment."""
    lines = text.split('\n')
    documented = total = 0
    for i, line in enumerate(lines):
        if not re.match(r'^[a-z_].*\w\s*\(.*', line) or line.startswith(('typedef', 'static', '#')) or '=' in line.split('(')[0]:
            continue
        total += 1
        j = i - 1
        while j >= 0 and lines[j].strip() and not lines[j].rstrip().endswith('*/') and not lines[j].startswith('}'):
            j -= 1
        if j >= 0 and lines[j].rstrip().endswith('*/'):
            documented += 1
        else:
            find(f'{path}:{i + 1}', 'prototype without a comment')
    return documented, total


def check_sentences():
    """Every sentence that pricing/ makes in English, with figures put in, is known again by one of words.def: else it would stand in a Chinese report as it is."""
    known = re.findall(r'^LABEL_SENTENCE\(".*?",\s*"(.*)"\)$', open('reports/words.def', encoding='utf-8').read(), re.M)
    readers = [re.compile(re.sub(r'\\{\d\\}', '.+', re.escape(words.replace('\\"', '"')))) for words in known]
    for path in tracked('pricing/audit*.c', 'pricing/guard*.c', 'pricing/net_price.c'):
        code = re.sub(r'/\*.*?\*/|^#.*?$', '', open(path, encoding='utf-8').read(), flags=re.S | re.M)
        for literal in re.findall(r'"((?:\\.|[^"\\])*)"', re.sub(r'"\s*\n\s*"', '', code)):
            text = re.sub(r'%(\.\*)?(ll|z)?[sdu]', '7', literal.replace('\\"', '"'))
            is_known = any(words.fullmatch(text) for words in readers) or any(text in words for words in known)
            if re.search(r'[a-z]{2} [a-z]{2}', text) and not is_known:
                find(path, f'reports/words.def has no LABEL_SENTENCE for "{literal}"')


def comment_lines(text):
    return sum(m.group().count('\n') + 1 for m in re.finditer(r'/\*.*?\*/', text, re.S))


def main():
    sources = [p for p in tracked('*.c', '*.h') if p.split('/')[0] in KNOWS]
    file_lines, lengths, comments, total_lines = [], [], 0, 0
    documented = prototypes = 0
    for path in sources:
        text = open(path, encoding='utf-8').read()
        lines = text.count('\n')
        total_lines += lines
        comments += comment_lines(text)
        check_includes(path, text)
        check_source(path, text, lengths)
        for n, line in enumerate(text.split('\n'), 1):
            if len(line) > LINE_CHARS_MAX:
                find(f'{path}:{n}', f'{len(line)} characters in a line, {LINE_CHARS_MAX} at most')
        if path.endswith('.c'):
            file_lines.append(lines)
        if lines > FILE_LINES_MAX:
            find(path, f'{lines} lines, {FILE_LINES_MAX} at most')
        if path.endswith('.h'):
            d, t = check_header(path, text)
            documented, prototypes = documented + d, prototypes + t
    for path in tracked('*.c', '*.h', '*.sh', '*.py', '*.md', 'Makefile', '*.mk', '*.conf', '*.def'):
        if path == 'tests/lint/structure.py':
            continue
        for n, line in enumerate(open(path, encoding='utf-8', errors='replace'), 1):
            if UNFINISHED.search(line):
                find(f'{path}:{n}', 'unfinished by its own word: ' + line.strip()[:80])
    check_sentences()
    median_file, median_function = statistics.median(file_lines), statistics.median(lengths)
    if median_file > FILE_LINES_MEDIAN:
        find('all', f'median file has {median_file} lines, {FILE_LINES_MEDIAN} at most')
    if median_function > FUNCTION_LINES_MEDIAN:
        find('all', f'median function has {median_function} lines, {FUNCTION_LINES_MEDIAN} at most')
    for folder in KNOWS:
        if any(p.startswith(folder + '/') for p in sources) and not os.path.exists(f'{folder}/README.md'):
            find(folder, 'no README.md')
    print(f'{len(file_lines)} .c files, {total_lines} lines, median file {median_file:g}, {len(lengths)} functions, median '
          f'{median_function:g}, longest {max(lengths)}, comments {100 * comments / total_lines:.1f} %, '
          f'prototypes documented {documented} of {prototypes}')
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
