"""Which mutated documents are well formed, by our readers and by Python's json (RFC 8259)."""
import json

import jsontext
from json_formats import google_records, overland, own_tracks

PIECES = [
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud83d", b"\\ude00", b"\\u0000", b"\\x",
    b"-", b"+", b".", b"e", b"E-", b"0", b"01", b"1.", b".5", b"-0", b"1e400", b"NaN", b"Infinity",
    b"null", b"nul", b"true", b"false", b"True", b"/*x*/", b"'", b" ", b"\n", b"\r", b"\t", b"\x0b",
    b"\x00", b"\x1f", b"\x7f", b"\xc3\xbc", b"\xc3", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80",
    b"\xc0\x80", b"\xf0\x9f\x98\x80", b"{}", b"[]", b'"a":1,', b'{"a":', b"[[", b"]}",
]
# What the reader takes otherwise than Python, by a word of its message, and why.
STRICTER = {
    "nested deeper": "a limit of Docs/Limits.md",
    "longer than": "a limit of Docs/Limits.md",
}


def mutated(random, data):
    data = bytearray(data)
    for _ in range(random.choice([0, 1, 1, 2, 5])):
        at = random.randrange(len(data) + 1)
        what = random.randrange(4)
        if what == 0:
            data[at:at] = random.choice(PIECES)
        elif what == 1:
            del data[at:at + random.randrange(1, 9)]
        elif what == 2 and at < len(data):
            data[at] = random.randrange(256)
        else:
            del data[at:]
    return bytes(data)


def refuse(name):
    raise ValueError(f"{name} is no JSON")


def problem_of(data):
    """What Python finds wrong with documents that follow one another; None for nothing."""
    decoder = json.JSONDecoder(parse_constant=refuse)
    try:
        text = data.decode("utf-8-sig").lstrip(" \t\r\n")
        if not text:
            return "it is empty"
        while text:
            _, end = decoder.raw_decode(text)
            if text[end - 1].isalnum() and text[end:end + 1].strip(" \t\r\n"):
                # Python takes 01 for two documents.
                return "a number or a word goes on"
            text = text[end:].lstrip(" \t\r\n")
    except ValueError as error:
        return str(error)
    return None


def against_grammar(check, random, worker):
    """Whether mutated documents are well formed."""
    name, make = random.choice([("googleRecords", google_records), ("geoJSON", overland),
                                ("ownTracks", own_tracks)])
    data = mutated(random, jsontext.write(random, make(random)))
    answer = worker.ask(f"trace-{name}", data)
    if answer is None:
        return check.fail("the reader trapped", data)
    stop, problem = [issue for issue in answer["issues"] if issue[0] != "record"], problem_of(data)
    if stop and problem is None:
        for word, reason in STRICTER.items():
            if word in stop[0][3]:
                return check.accept(reason)
        return check.fail(f"refused where Python reads: {stop}", data)
    if not stop and problem is not None:
        return check.fail(f"read where Python refuses: {problem}", data)
    return check.compared(1)
