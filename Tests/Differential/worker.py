"""The project's own side: a process that answers what its code makes of an input."""
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
