"""GPX against expat (what is well formed, and the points), gpsbabel and gpxpy (the points)."""
import math
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pyexpat import ExpatError, ParserCreate, errors

from worker import ask_python

INVALID_TOKEN = errors.codes[errors.XML_ERROR_INVALID_TOKEN]

# What the reader refuses though it is well formed, by a word of its message, and why.
STRICTER = {
    "the root element is": "it reads GPX (GPX 1.1, schema: the root is gpx)",
    "internal subset": "entities can be declared there, and blow up (Docs/Limits.md)",
    "longer than": "a limit of Docs/Limits.md",
    "nested deeper": "a limit of Docs/Limits.md",
    "more than 64 attributes": "a limit of Docs/Limits.md",
    "where UTF-8 was expected": "other encodings are converted before the decoder",
}
# XML 1.0, fifth edition, production 4a, above ASCII. expat has the names of the fourth.
NAME_RANGES = [
    (0xB7, 0xB7), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x37D), (0x37F, 0x1FFF), (0x200C, 0x200D),
    (0x203F, 0x2040), (0x2070, 0x218F), (0x2C00, 0x2FEF), (0x3001, 0xD7FF), (0xF900, 0xFDCF),
    (0xFDF0, 0xFFFD), (0x10000, 0xEFFFF),
]
FIFTH = "a name of XML 1.0 in its fifth edition (2.3, 4a); expat has those of the fourth"
# XML 1.0, productions 23 to 26, 32, 80 and 81.
SPACE, QUOTED = rb"[ \t\r\n]", rb"(?:'%s'|\"%s\")"
DECLARATION = re.compile(
    rb"(\xef\xbb\xbf)?<\?xml" + SPACE + rb"+version" + SPACE + rb"*=" + SPACE + rb"*"
    + QUOTED.replace(b"%s", rb"1\.[0-9]+")
    + rb"(" + SPACE + rb"+encoding" + SPACE + rb"*=" + SPACE + rb"*"
    + QUOTED.replace(b"%s", rb"[A-Za-z][A-Za-z0-9._-]*") + rb")?"
    + rb"(" + SPACE + rb"+standalone" + SPACE + rb"*=" + SPACE + rb"*"
    + QUOTED.replace(b"%s", rb"(yes|no)") + rb")?" + SPACE + rb"*\?>")
VERSION = "an XML declaration that is none (productions 23 to 26), at which expat does not look closely"
NUMBER = re.compile(r"[ \t\r\n]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\r\n]*\Z")

PIECES = [
    b"<", b">", b"/>", b"</", b"&amp;", b"&lt;", b"&#52;", b"&#x35;", b"&#0;", b"&#x110000;", b"&",
    b"&nbsp;", b"'", b'"', b"=", b" ", b"\n", b"\r\n", b"\t", b"<!--", b"-->", b"--", b"<![CDATA[",
    b"]]>", b"]]", b"<?x ", b"?>", b"<?xml version='1.0'?>", b"<!DOCTYPE gpx>",
    b"<!DOCTYPE gpx SYSTEM 'a'>", b"<!DOCTYPE gpx [<!ENTITY a 'b'>]>", b"\xc3\xbc", b"\xc3", b"\xff",
    b"\xef\xbb\xbf", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\x00", b"\x01", b"\x7f",
    b"\xef\xbf\xbe", b"\xc0\x80", b"<trkpt lat='1' lon='2'/>", b"<trkseg>", b"</trkseg>", b"<trk>",
    b"</trk>", b"</gpx>", b"<gpx>", b"<x:trkpt x:lat='1' lon='2'></x:trkpt>", b" lat='3'", b" lon='4'",
    b"<ele>1</ele>", b"<a b='c' b='d'/>", b":", b"a:b:c", b"1e400", b"-0", b"+1", b".5", b"5.", b"nan",
    b"0x10", b"1_0", b" 7 ",
]


def number(random):
    return random.choice([
        lambda: f"{random.uniform(-90, 90):.{random.randrange(0, 17)}f}",
        lambda: repr(random.uniform(-90, 90)),
        lambda: f"{random.uniform(-90, 90):e}",
        lambda: str(random.randrange(-90, 91)),
        lambda: f"+{random.uniform(0, 9):.3f}",
        lambda: f" {random.uniform(0, 9):.3f}\n",
    ])()


def point(random, plain=False):
    latitude, longitude = (
        (f"{random.uniform(-90, 90):.{random.randrange(1, 10)}f}",
         f"{random.uniform(-180, 180):.{random.randrange(1, 10)}f}")
        if plain else (number(random), number(random)))
    inside = ""
    if random.random() < 0.7:
        inside += f"<ele>{random.uniform(-400, 9000):.{random.randrange(0, 4)}f}</ele>"
    if random.random() < 0.8:
        second = random.randrange(0, 2_000_000_000)
        day, rest = divmod(second, 86_400)
        import datetime
        date = datetime.date(1990, 1, 1) + datetime.timedelta(days=day % 15_000)
        fraction = random.choice(["", "", f".{random.randrange(1000):03}"])
        inside += (f"<time>{date}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
                   f"{fraction}Z</time>")
    prefix = "" if plain or random.random() < 0.9 else "x:"
    quote = random.choice("'\"")
    return (f"<{prefix}trkpt lat={quote}{latitude}{quote} lon={quote}{longitude}{quote}>"
            f"{inside}</{prefix}trkpt>")


def document(random, plain=False):
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' if random.random() < 0.7 else ""
    text += '<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="u:x">'
    for _ in range(random.randrange(1, 3)):
        text += "<trk><name>a &amp; b</name>"
        for _ in range(random.randrange(1, 3)):
            points = "".join(point(random, plain) + random.choice(["\n", "", "  "])
                             for _ in range(random.randrange(0, 12)))
            text += f"<trkseg>{points}</trkseg>"
        text += "</trk>"
    return text + "</gpx>\n"


def mutated(random, text):
    data = bytearray(text.encode())
    for _ in range(random.choice([0, 1, 1, 1, 2, 3, 6])):
        at = random.randrange(len(data) + 1)
        what = random.randrange(4)
        if what == 0:
            data[at:at] = random.choice(PIECES)
        elif what == 1:
            del data[at:at + random.randrange(1, 9)]
        elif what == 2 and at < len(data):
            data[at] = random.randrange(256)
        else:
            end = min(len(data), at + random.randrange(1, 60))
            data[random.randrange(len(data) + 1):0] = data[at:end]
    return bytes(data)


def is_name(data):
    """Whether bytes begin with a character above ASCII that may stand in a name."""
    for count in range(1, len(data) + 1):
        try:
            code = ord(data[:count].decode())
        except UnicodeDecodeError:
            continue
        return any(low <= code <= high for low, high in NAME_RANGES)
    return False


# Points outside of a segment are against the schema, and as good as any.
POINTS = [["gpx", "trk", "trkseg", "trkpt"], ["gpx", "trk", "trkpt"]]


class Expat:
    """The points of a document as expat tells of its elements."""

    def __init__(self, data):
        self.path, self.points, self.open = [], [], None
        parser = ParserCreate()
        parser.StartElementHandler = self.begin
        parser.EndElementHandler = self.end
        self.error, self.isFifth = None, False
        try:
            parser.Parse(data, True)
        except ExpatError as error:
            self.error = error
            if error.code == INVALID_TOKEN and is_name(data[parser.ErrorByteIndex:][:4]):
                self.isFifth = True
        except LookupError as error:
            # An encoding that Python does not know.
            self.error = error

    def begin(self, name, attributes):
        self.path.append(local(name))
        if self.path in POINTS:
            self.open = [(local(key), value) for key, value in attributes.items()]

    def end(self, name):
        if self.path in POINTS:
            self.close()
        self.path.pop()

    def close(self):
        values = {}
        for key, value in self.open:
            if key in ("lat", "lon"):
                if not NUMBER.match(value) or not math.isfinite(float(value)):
                    return
                values[key] = float(value)
        if len(values) == 2:
            self.points.append((values["lat"], values["lon"]))


def local(name):
    """A name without its prefix."""
    return name.rsplit(":", 1)[-1]


def against_expat(check, random, worker):
    data = mutated(random, document(random))
    answer = worker.ask("trace-gpx", data)
    if answer is None:
        return check.fail("the reader trapped", data)
    # White space before the declaration is an error of XML that we read over, with a note.
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if text.startswith(b"<?xml"):
        data = text
    expat = Expat(data)
    if expat.isFifth:
        return check.accept(FIFTH)
    stop = [issue for issue in answer["issues"] if issue[0] != "record"]
    if data.removeprefix(b"\xef\xbb\xbf").startswith(b"<?xml") and not DECLARATION.match(data):
        # Where both refuse, they do at different places.
        return check.compared(1) if stop and expat.error else check.accept(VERSION)
    if stop and expat.error is None:
        for word, reason in STRICTER.items():
            if word in stop[0][3]:
                return check.accept(reason)
        return check.fail(f"refused where expat reads: {stop}", data)
    if not stop and expat.error is not None:
        return check.fail(f"read where expat refuses: {expat.error}", data)
    ours = [(point[1], point[2]) for point in answer["points"]]
    if stop and any(word in stop[0][3] for word in STRICTER):
        return check.accept("refused by both, for a reason of ours")
    theirs = expat.points
    if [repr(pair) for pair in ours] != [repr(pair) for pair in theirs]:
        return check.fail(f"points differ: {ours} and {theirs} by expat", data)
    check.compared(len(ours) + 1)


def babel(data, form):
    result = subprocess.run(
        ["gpsbabel", "-t", "-i", form, "-f", "-", "-o", "gpx", "-F", "-"], input=data,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        return None
    points = []
    for element in ElementTree.fromstring(result.stdout).iter():
        if element.tag.endswith("}trkpt"):
            values = {child.tag.split("}")[1]: child.text for child in element}
            points.append((float(element.get("lat")), float(element.get("lon")), values))
    return points


def nanoseconds(text):
    """An instant as gpsbabel writes it."""
    import datetime
    main, _, fraction = text.rstrip("Z").partition(".")
    moment = datetime.datetime.fromisoformat(main + "+00:00")
    return int(moment.timestamp()) * 10**9 + int((fraction + "0" * 9)[:9])


def against_gpsbabel(check, random, worker):
    text = document(random, plain=True).encode()
    answer = worker.ask("trace-gpx", text)
    theirs = babel(text, "gpx")
    if answer is None or theirs is None:
        return check.fail("one of both gave no answer", text)
    ours = answer["points"]
    if len(ours) != len(theirs):
        return check.fail(f"{len(ours)} points, {len(theirs)} by gpsbabel", text)
    for mine, other in zip(ours, theirs):
        # gpsbabel writes nine decimals of a degree and three of a metre.
        if abs(mine[1] - other[0]) > 6e-10 or abs(mine[2] - other[1]) > 6e-10:
            return check.fail(f"{mine} is {other} by gpsbabel", text)
        elevation = other[2].get("ele")
        if (elevation is None) != (mine[3] is None) or (
                elevation is not None and abs(float(elevation) - mine[3]) > 6e-4):
            return check.fail(f"{mine} is {other} by gpsbabel", text)
        time = other[2].get("time")
        if (time is None) != (mine[0] is None) or (
                time is not None and nanoseconds(time) != mine[0]):
            return check.fail(f"{mine} is {other} by gpsbabel", text)
    check.compared(len(ours))


def against_gpxpy(check, random, worker):
    text = document(random, plain=True).encode()
    answer, theirs = worker.ask("trace-gpx", text), ask_python("gpxpy", text)
    if answer is None or theirs is None:
        return check.fail("one of both gave no answer", text)
    ours = [[time and time // 1000, *place] for time, *place in
            (point[:4] for point in answer["points"])]
    if answer["issues"] or ours != theirs:
        return check.fail(f"{answer['issues']} {ours} is {theirs} by gpxpy", text)
    return check.compared(len(ours))
