#!/usr/bin/env python3
"""Runs the fuzzers of Tests/Fuzz, two at a time, and says what they did.

    fuzz.py PROGRAM [--seconds N | --runs N] [--seed N] [--max-length N] [SUBJECT...]

PROGRAM is the executable `fuzz`. Without subjects all of them run. What the fuzzers learn stays in
.build-fuzz-corpora, beside the corpora that are in git; what breaks them is put into
.build-fuzz-finds. Its name is printed with the command that shows it again, and at the end all
findings once more with their bytes, for those who have only the end of a log.
"""

import argparse
import base64
import concurrent.futures
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
LEARNT = pathlib.Path(".build-fuzz-corpora")
FINDS = pathlib.Path(".build-fuzz-finds")
# What an input may cost is in Program/Meter.swift. That is known when it has ended: one that takes longer
# than this, in seconds, or more memory, in MiB, is a find as well.
TIMEOUT = 60
MEMORY = 512
# Bytes of an input that the end of the log shows.
SHOWN = 8192


def environment(folder):
    # At a crash the backtracer of Swift would start and keep the pipe open. With the hashes of every
    # process its own, or its stack where the sanitizer likes it, the same seed would take another way
    # each time: libFuzzer learns from what is compared, addresses too.
    result = dict(os.environ, SWIFT_BACKTRACE="enable=no", SWIFT_DETERMINISTIC_HASHING="1",
                  TMPDIR=folder)
    # Freed memory that the sanitizer keeps counts for MEMORY, so it keeps less than its usual 256 MiB.
    result.setdefault("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0:"
                      "quarantine_size_mb=64")
    return result


def fix_addresses():
    # ADDR_NO_RANDOMIZE of sys/personality.h, which children inherit. Where it is forbidden, the
    # fuzzers do without.
    ctypes.CDLL(None).personality(0x0040000)


def subjects(program):
    lines = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    return [line.split("\t")[0] for line in lines.splitlines()]


def command(options, subject):
    learnt = LEARNT / subject
    learnt.mkdir(parents=True, exist_ok=True)
    arguments = [options.program, subject, f"-seed={options.seed}", "-print_final_stats=1",
                 f"-max_len={options.max_length}", f"-timeout={TIMEOUT}",
                 f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={FINDS}/{subject}-"]
    if options.runs:
        arguments.append(f"-runs={options.runs}")
    else:
        arguments.append(f"-max_total_time={options.seconds}")
    dictionary = HERE / "Dictionaries" / f"{subject}.dict"
    if dictionary.exists():
        arguments.append(f"-dict={dictionary}")
    return arguments + [f"-seed_inputs=@{seeds(subject)}", str(learnt)]


def seeds(subject):
    """A file that names the inputs in git in an order that is the same on every disk."""
    folders = [HERE / kind / subject for kind in ("Corpora", "Regressions")]
    names = sorted(str(name) for folder in folders for name in folder.glob("*"))
    result = LEARNT / f"{subject}.seeds"
    result.write_text(",".join(names))
    return result


def run(options, subject):
    start = time.monotonic()
    # What a subject writes is in memory, and gone with it, also when it crashes.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        done = subprocess.run(command(options, subject), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=environment(folder))
    return subject, done.returncode, time.monotonic() - start, done.stdout.decode(errors="replace")


def last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def share(what, log):
    """How much of what inputs may cost the worst of them did; nothing when the fuzzer was stopped."""
    found = re.findall(rf"(\d+ %) of the {what}", log)
    return found[-1] if found else "-"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("subjects", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--max-length", type=int, default=65536)
    parser.add_argument("--at-once", type=int, default=2)
    options = parser.parse_intermixed_args()
    known = subjects(options.program)
    for subject in options.subjects:
        if subject not in known:
            sys.exit(f"there is no subject '{subject}', expected one of: {', '.join(known)}")
    FINDS.mkdir(exist_ok=True)
    fix_addresses()
    print(f"{'subject':16} {'executions':>12} {'a second':>9} {'edges':>6} {'inputs':>7}"
          f" {'time':>5} {'memory':>6}"
          f"  (seed {options.seed})", flush=True)
    findings = []
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for result in pool.map(lambda name: run(options, name), options.subjects or known):
            findings += report(options, *result)
    for subject, path, reason in findings:
        print(f"\n{subject}: FOUND SOMETHING: {reason}\n{shown(path)}", flush=True)
    sys.exit(1 if findings else 0)


def shown(path):
    """The bytes of a finding as text."""
    if not os.path.isfile(path):
        return "its input was not written"
    data = pathlib.Path(path).read_bytes()
    if len(data) > SHOWN:
        return f"its input has {len(data):,} bytes, more than the {SHOWN:,} that are shown"
    return f"base64 of its input: {base64.b64encode(data).decode()}"


def report(options, subject, status, seconds, log):
    """Prints what a fuzzer did; its findings."""
    executions = last(r"stat::number_of_executed_units: +(\d+)", log) or last(r"#(\d+)", log)
    edges, inputs = last(r"cov: (\d+)", log), last(r"corp: (\d+)", log)
    print(f"{subject:16} {executions:12,} {executions / max(seconds, 1):9,.0f}"
          f" {edges:6,} {inputs:7,} {share('time', log):>5} {share('memory', log):>6}", flush=True)
    if status == 0:
        return []
    find = re.findall(r"Test unit written to (\S+)", log)
    print("\n".join(log.splitlines()[-40:]))
    print(f"{subject}: FOUND SOMETHING; to see it again:\n"
          f"  SWIFT_BACKTRACE=enable=no {options.program} {subject} {find[-1] if find else '?'}\n"
          f"when it is mended, keep the file in {HERE}/Regressions/{subject}", flush=True)
    reason = re.search(r"^(violated: .*|.*ERROR: .*|Fatal error: .*)$", log, re.M)
    return [(subject, find[-1] if find else "", reason[0] if reason else f"it ended with {status}")]


if __name__ == "__main__":
    main()
