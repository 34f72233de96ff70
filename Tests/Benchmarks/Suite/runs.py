"""Runs programs, taking turns, and measures their cost."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN = ROOT / ".build/release"
PEERS = ROOT / "Tests/Benchmarks/Peers"
# Programs of the peers and inputs, kept from run to run.
WORK = ROOT / ".build-bench"


class Cost:
    """The cost of one run: CPU seconds, wall seconds and peak memory, KiB; and its standard output
    and standard error."""

    def __init__(self, cpu, wall, memory, output, messages):
        self.cpu, self.wall, self.memory = cpu, wall, memory
        self.output, self.messages = output, messages

    @property
    def report(self):
        """The line of JSON that the program printed last."""
        return json.loads((self.output or self.messages).splitlines()[-1])


def run(command, stdin=None, stdout=None, codes=(0,)):
    """One run of a command; its output is kept unless it goes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        # A child begins with the memory of its parent, and `time` has little.
        memory = pathlib.Path(folder) / "memory"
        wrapped = ["/usr/bin/time", "-q", "-o", memory, "-f", "%M", *map(str, command)]
        with open(stdin or os.devnull, "rb") as source, \
                open(stdout or pathlib.Path(folder) / "output", "w+b") as sink, \
                open(pathlib.Path(folder) / "messages", "w+b") as messages:
            begin = os.times().elapsed
            child = subprocess.Popen(wrapped, stdin=source, stdout=sink, stderr=messages)
            _, status, usage = os.wait4(child.pid, 0)
            wall = os.times().elapsed - begin
            child.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            sink.seek(0)
            output = "" if stdout else sink.read().decode()
            problems = messages.read().decode()
        if child.returncode not in codes:
            words = " ".join(map(str, command))
            sys.exit(f"{words} ended with {child.returncode}:\n{problems[-2000:]}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, int(memory.read_text().split()[-1]),
                    output, problems)


def by_turns(programs, rounds):
    """Lists of what `programs`, functions by name, give; the runs of a round follow one another."""
    given = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            given[name].append(program())
    return given


def median_ratio(peer, own):
    """The median over the rounds of the peer's cost as a multiple of ours."""
    return statistics.median(theirs / ours for theirs, ours in zip(peer, own))


def install(*packages):
    """Whether Debian's packages are installed; installs missing ones."""
    done = subprocess.run([ROOT / "Tests/install.sh", *packages], capture_output=True, text=True)
    if done.returncode:
        print(f"missing: {' '.join(packages)} cannot be installed", flush=True)
    return done.returncode == 0


def build(name, source, *flags, packages=()):
    """A program of the peers, rebuilt when its source changed; nil when it cannot be built."""
    if not install("g++", *packages):
        return None
    program, source = WORK / name, PEERS / source
    if not is_fresh(program, *source.parent.glob("*.*")):
        compiler = ["g++", "-std=c++17"] if source.suffix == ".cpp" else ["gcc"]
        subprocess.run([*compiler, "-O3", "-march=native", "-w", source, "-o", program, *flags],
                       check=True)
    return program


def is_fresh(file, *sources):
    """Whether a file exists and is newer than its sources."""
    return file.exists() and \
        all(file.stat().st_mtime >= source.stat().st_mtime for source in sources)


def python(*packages):
    """A Python with packages of PyPI; nil when they are missing."""
    if not install("python3-venv"):
        return None
    home = WORK / "venv"
    interpreter = home / "bin/python3"
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
    done = subprocess.run([interpreter, "-m", "pip", "install", "--quiet", *packages],
                          capture_output=True, text=True)
    if done.returncode:
        print(f"missing: {' '.join(packages)} cannot be had from PyPI", flush=True)
        return None
    return interpreter


def program(name):
    """Path of a program, also in root's directories."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/bin:"
                        + str(pathlib.Path.home() / ".cargo/bin"))
