#!/usr/bin/env python3
"""Checks that every numbered rule of Core Location's behaviour, rules.tsv, has a test.

rules.py [--write DOCUMENT]

A row of the list is a number, the rule in our words, and the reason if no test has the number. A test
has the numbers that its name begins with: `@Test("7.8 7.14 requestState …")`. Exits 1 when a rule has
neither tests nor a reason, has both, or when a test names a rule that is not listed. --write
regenerates the document.
"""
import argparse
import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
# The tests of the module's behaviour; names of other tests may also begin with a number.
SUITES = ["CoreLocationTests", "ServicesTests", "GeocodingTests", "CommandTests"]
NAME = re.compile(r'@Test\(\s*"((?:[^"\\]|\\.)*)"')
# Rules of the chapter on location services (AT) are among the numbers.
LEAD = re.compile(r"((?:(?:AT-\d+|\d+\.\d+|11|16|17),? )*)")
SECTIONS = {
    1: "Threads", 2: "Order and count of callbacks", 3: "Standard updates", 4: "requestLocation",
    5: "Significant changes", 6: "Visits", 7: "Regions", 8: "CLMonitor", 9: "Live updates",
    10: "Sessions", 11: "Authorization", 12: "Reduced accuracy", 13: "Geocoder", 14: "Values",
    15: "Deferred updates", 16: "Heading and beacons", 17: "Not documented by Apple"}

Rule = collections.namedtuple("Rule", "number phrase reason")


def listed():
    lines = (HERE / "rules.tsv").read_text().splitlines()[1:]
    return [Rule(*(line.split("\t") + [""])[:3]) for line in lines]


def found():
    """The names of tests and their files, by the numbers that the names begin with."""
    tests = collections.defaultdict(list)
    for suite in SUITES:
        for path in sorted((ROOT / "Tests" / suite).rglob("*.swift")):
            for match in NAME.finditer(path.read_text()):
                name = match[1].replace('\\"', '"')
                lead = LEAD.match(name)[1]
                for number in re.findall(r"(?<!-)\b\d+(?:\.\d+)?", lead):
                    tests[number].append((name[len(lead):], path.relative_to(ROOT)))
    return tests


def document(rules, tests):
    lines = [(HERE / "introduction.md").read_text().strip()]
    section = None
    for rule in rules:
        number = int(rule.number.split(".")[0])
        if number != section:
            section = number
            lines += ["", f"## {section}. {SECTIONS[section]}", "", "| | rule | tests |",
                      "| --- | --- | --- |"]
        by = "<br>".join(
            f"[{name}](../{path})".replace("|", "\\|") for name, path in tests[rule.number])
        lines.append(f"| {rule.number} | {rule.phrase} | {by or '*no test:* ' + rule.reason} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=pathlib.Path, metavar="DOCUMENT")
    arguments = parser.parse_args()
    rules, tests = listed(), found()
    errors = []
    for rule in rules:
        if not tests[rule.number] and not rule.reason:
            errors.append(f"{rule.number}: no test begins with it, and no reason is given")
        if tests[rule.number] and rule.reason:
            errors.append(f"{rule.number}: has tests, and also a reason for having none")
    numbers = {rule.number for rule in rules}
    for number in sorted(set(tests) - numbers):
        errors.append(f"{number}: there is no such rule; see the test '{tests[number][0][0]}'")
    for error in errors:
        print(f"rules: {error}", file=sys.stderr)
    if arguments.write:
        arguments.write.write_text(document(rules, tests))
    tested = sum(1 for rule in rules if tests[rule.number])
    print(f"{tested} of {len(rules)} rules have tests, {len(rules) - tested} have a reason")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
