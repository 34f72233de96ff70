"""Opens streams of the live page, and never reads some of them.

usage: live-crowd.py PORT READERS DEAF

Prints a line when all are open, and ends when its standard input does.
"""

import selectors
import socket
import sys

port, readers, deaf = (int(word) for word in sys.argv[1:])


def stream(buffer=None):
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.connect(("127.0.0.1", port))
    client.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client


selector = selectors.DefaultSelector()
silent = [stream(4096) for _ in range(deaf)]
for _ in range(readers):
    client = stream()
    client.recv(1 << 16)
    client.setblocking(False)
    selector.register(client, selectors.EVENT_READ)
print("open", flush=True)
selector.register(sys.stdin, selectors.EVENT_READ)
ended = 0
while True:
    for key, _ in selector.select():
        if key.fileobj is sys.stdin:
            sys.exit(f"{ended} readers were dropped" if ended else 0)
        if not key.fileobj.recv(1 << 16):
            ended += 1
            selector.unregister(key.fileobj)
