"""FIT against fitdecode and fitparse, with files that are made up here (FIT Protocol, "FIT File
Protocol"; FIT Profile)."""
import struct

from worker import ask_python

# Names of base types: number, struct's letter, the value for none.
TYPES = {
    "enum": (0x00, "B", 0xFF), "sint8": (0x01, "b", 0x7F), "uint8": (0x02, "B", 0xFF),
    "sint16": (0x83, "h", 0x7FFF), "uint16": (0x84, "H", 0xFFFF), "sint32": (0x85, "i", 0x7FFFFFFF),
    "uint32": (0x86, "I", 0xFFFFFFFF), "uint8z": (0x0A, "B", 0), "uint16z": (0x8B, "H", 0),
    "uint32z": (0x8C, "I", 0), "byte": (0x0D, "B", 0xFF),
}
RECORD = [(0, "sint32"), (1, "sint32"), (2, "uint16"), (6, "uint16"), (31, "uint8"), (73, "uint32"),
          (78, "uint32")]
# Of a record too, but not read: distance, heart rate, cadence, temperature, power.
OTHERS = [(5, "uint32"), (3, "uint8"), (4, "uint8"), (13, "sint8"), (7, "uint16")]


def crc(data):
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


class File:
    """A FIT file while it is made."""

    def __init__(self):
        self.data = b""
        self.layouts = {}

    def define(self, local, number, fields, big=False, developer=()):
        """Fields are pairs of a number and a type; developer fields triples with size and index."""
        self.layouts[local] = (fields, big, sum(size for _, size, _ in developer))
        self.data += struct.pack(
            ">BBBHB" if big else "<BBBHB", 0x40 | local | (0x20 if developer else 0), 0, int(big),
            number, len(fields))
        for field, kind in fields:
            code, size = (0x07, kind) if isinstance(kind, int) else (
                TYPES[kind][0], struct.calcsize(TYPES[kind][1]))
            self.data += bytes([field, size, code])
        if developer:
            self.data += bytes([len(developer)])
            for triple in developer:
                self.data += bytes(triple)

    def add(self, local, values, step=None):
        """A data message; None is the value for none, and a text has the size of its field."""
        fields, big, extra = self.layouts[local]
        self.data += bytes([local if step is None else 0x80 | local << 5 | step])
        for (_, kind), value in zip(fields, values):
            if isinstance(kind, int):
                self.data += value.encode()[:kind].ljust(kind, b"\0")
            else:
                _, letter, none = TYPES[kind]
                self.data += struct.pack(
                    (">" if big else "<") + letter, none if value is None else value)
        self.data += bytes(range(1, extra + 1))

    def bytes(self, header=14):
        start = struct.pack("<BBHI4s", header, 0x20, 2132, len(self.data), b".FIT")
        if header == 14:
            start += struct.pack("<H", crc(start))
        return start + self.data + struct.pack("<H", crc(start + self.data))


class Ride:
    """An activity with everything that the readers must pass over."""

    def __init__(self, random):
        self.random = random
        self.file = File()
        self.time = random.randrange(1_000_000_000, 1_300_000_000)
        self.local = random.randrange(4)
        self.isCompressed = False

    def made(self):
        file, random = self.file, self.random
        file.define(0, 0, [(0, "enum"), (1, "uint16"), (2, "uint16"), (3, "uint32z"), (4, "uint32")],
                    random.random() < 0.3)
        file.add(0, [4, random.choice([1, 32, 265]), 1, 123, self.time])
        # What describes developer fields: an application, and a field of two bytes.
        file.define(1, 207, [(3, "uint8")])
        file.add(1, [0])
        file.define(1, 206, [(0, "uint8"), (1, "uint8"), (2, "uint8"), (3, 8)])
        file.add(1, [0, 0, 0x84, "own"])
        self.define()
        for _ in range(random.randrange(1, 40)):
            random.choice([self.record] * 8 + [self.define, self.event, self.unknown, self.session])()
        return file.bytes(random.choice([12, 14]))

    def define(self):
        random = self.random
        position = RECORD[:2] if random.random() < 0.9 else []
        others = RECORD[2:] + OTHERS
        fields = position + random.sample(others, random.randrange(1, len(others)))
        # Of a field and its longer form the readers take the first of both.
        for short, long in [(2, 78), (6, 73)]:
            if {short, long} <= {field for field, _ in fields}:
                unused = random.choice([short, long])
                fields = [field for field in fields if field[0] != unused]
        random.shuffle(fields)
        self.isCompressed = random.random() < 0.3
        if not self.isCompressed:
            fields.insert(random.randrange(len(fields) + 1), (253, "uint32"))
        self.local = random.randrange(4)
        developer = [(0, 2, 0)] if random.random() < 0.3 else []
        self.file.define(self.local, 20, fields, random.random() < 0.5, developer)
        self.fields = fields
        # A compressed time follows a whole one.
        self.event()

    def record(self):
        random = self.random
        values = []
        step = random.randrange(0, 31)
        self.time += step
        for field, kind in self.fields:
            code, letter, none = TYPES[kind]
            size = 8 * struct.calcsize(letter)
            if field == 253:
                values.append(self.time)
            elif random.random() < 0.1:
                values.append(None)
            elif field < 2:
                limit = 2**30 if field == 0 else 2**31 - 1
                values.append(random.randrange(-limit, limit))
            else:
                values.append(random.randrange(0, 2**size - 1 if letter.isupper() else 2**(size - 1) - 1))
        self.file.add(self.local, values, self.time & 31 if self.isCompressed else None)

    def event(self):
        local = random_other(self.random, self.local)
        self.file.define(local, 21, [(253, "uint32"), (0, "enum"), (1, "enum")])
        self.file.add(local, [self.time, self.random.choice([0, 0, 9]), self.random.randrange(10)])

    def unknown(self):
        local = random_other(self.random, self.local)
        self.file.define(local, 0xFF00 + self.random.randrange(200),
                         [(self.random.randrange(250), self.random.choice(list(TYPES)))
                          for _ in range(self.random.randrange(0, 6))])
        kinds = self.file.layouts[local][0]
        self.file.add(local, [self.random.randrange(100) for _ in kinds])

    def session(self):
        local = random_other(self.random, self.local)
        self.file.define(local, 18, [(253, "uint32"), (2, "uint32"), (5, "enum")])
        self.file.add(local, [self.time, self.time - 10, 2])


def random_other(random, local):
    return random.choice([other for other in range(8) if other != local])


def against_readers(check, random, worker):
    data = b"".join(Ride(random).made() for _ in range(random.choice([1, 1, 1, 2, 3])))
    answer = worker.ask("trace-fit", data)
    for name in ["fitdecode", "fitparse"]:
        theirs = ask_python(name, data)
        if answer is None or theirs is None:
            return check.fail(f"we or {name} gave no answer", data)
        ours = [point[:5] for point in answer["points"]]
        # Those of fitdecode and fitparse are semicircles, and seconds.
        others = [[time * 10**9, latitude * 180 / 2**31, longitude * 180 / 2**31, altitude, speed]
                  for time, latitude, longitude, altitude, speed in theirs]
        if ours != others:
            return check.fail(f"points differ: {ours} and {others} by {name}", data)
        check.compared(len(ours))
    stop = [issue for issue in answer["issues"] if "no position" not in issue[3]]
    if stop:
        return check.fail(f"a file is refused: {stop}", data)
