"""JSON documents with everything that JSON allows in how they are written."""
import datetime
import json
import re

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# What surrounds a number in a text, until the text becomes the number itself.
MARK = "\x1a"


def number(random, value, isText=0.1):
    """A number by one of its spellings; now and then a text."""
    text = random.choice([repr, repr, "{:.6e}".format, "{:E}".format])(value)
    return text if random.random() < isText else f"{MARK}{text}{MARK}"


def write(random, document):
    """A document as text: members in any order, any white space and escapes."""
    indent, spaces = random.choice([None, None, 0, 2, "\t"]), random.choice(["", " "])
    text = json.dumps(shuffled(random, document), indent=indent, ensure_ascii=random.random() < 0.5,
                      separators=("," + (spaces if indent is None else ""), ":" + spaces))
    text = re.sub(rf'"(?:\\u001a|{MARK})(.*?)(?:\\u001a|{MARK})"', r"\1", text)
    if random.random() < 0.2:
        text = text.replace("\n", "\r\n")
    if random.random() < 0.1:
        text = "\ufeff" + text
    return (text + random.choice(["", "\n"])).encode()


def shuffled(random, value):
    """Members in another order, and more that nobody reads."""
    if isinstance(value, list):
        return [shuffled(random, item) for item in value]
    if not isinstance(value, dict):
        return value
    members = [(key, shuffled(random, item)) for key, item in value.items()]
    if random.random() < 0.2:
        members.append(("x" + random.choice(["", "\u00e4", "\n", "\"", "\U0001f600"]), junk(random)))
    if random.random() < 0.5:
        random.shuffle(members)
    return dict(members)


def junk(random, depth=0):
    kind = random.randrange(7 if depth < 4 else 5)
    if kind == 5:
        return [junk(random, depth + 1) for _ in range(random.randrange(4))]
    if kind == 6:
        return {f"k{index}": junk(random, depth + 1) for index in range(random.randrange(4))}
    return [None, True, random.uniform(-1e9, 1e9), random.randrange(10**12),
            random.choice(["", "a\\b\"c/", "\u20ac\t", "}]{[", "x" * random.randrange(300)])][kind]


def optional(random, members, chance=0.7):
    """Some of these members; now and then null."""
    return {key: None if random.random() < 0.05 else value
            for key, value in members.items() if random.random() < chance}


def moments(random, count, longest=10_000):
    """Instants that go up, in nanoseconds, each a whole number of milliseconds."""
    time = random.randrange(978_307_200_000, 1_800_000_000_000)
    for _ in range(count):
        yield time * 10**6
        time += random.choice([random.randrange(1, longest), 1000 * random.randrange(1, longest)])


def stamp(random, time):
    """An instant by RFC 3339, in any zone."""
    moment = EPOCH + datetime.timedelta(milliseconds=time // 10**6)
    if random.random() < 0.3:
        minutes = random.randrange(-720, 840, 15)
        moment = moment.astimezone(datetime.timezone(datetime.timedelta(minutes=minutes)))
    text = moment.isoformat(timespec="milliseconds")
    if text[-9:-6] == "000" and text[-6] in "+-":
        text = text[:-10] + text[-6:]
    return text.replace("+00:00", random.choice(["Z", "+00:00"]))


def instant(value):
    """Nanoseconds of RFC 3339."""
    return (datetime.datetime.fromisoformat(value) - EPOCH) // datetime.timedelta(
        microseconds=1) * 1000


def read(data):
    return json.loads(data.decode("utf-8-sig"))
