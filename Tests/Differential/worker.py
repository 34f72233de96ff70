"""Processes that answer what they make of an input: the project's own, and readers of PyPI."""
import functools
import json
import subprocess


class Worker:
    def __init__(self, *command):
        self.command = command
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, name, body):
        """The answer; None when the process ended, which no input may make it do."""
        if isinstance(body, str):
            body = body.encode()
        try:
            self.process.stdin.write(f"{name} {len(body)}\n".encode() + body)
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            self.process.wait()
            self.start()
            return None
        return json.loads(line)


@functools.cache
def python_readers():
    return Worker(".build/peers/bin/python", "-B", "Tests/Differential/python_readers.py")


def ask_python(name, body):
    """What a package of PyPI reads."""
    return python_readers().ask(name, body)
