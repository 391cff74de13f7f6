"""A command that says hello as it should, and then answers calls in a way that its argument names.

garbles.py WAY: kind, short, serial, closes, chatters, or hello, which spoils the hello itself.
"""
import os
import socket
import struct
import sys
import time

HELLO, APPLY, BUILD, DONE = 1, 4, 5, 6


def hello():
    capabilities = struct.pack("<Ii64sIIiiiiiIIIIIq", 128, 0, b"garbles", *[0] * 13)
    return struct.pack("<II128sI1020s", HELLO, 1, capabilities, 0, b"")


def done(kind, serial):
    return struct.pack("<IIiI1008s", kind, serial, 0, 0, b"")


def answer(way, line, serial):
    if way == "closes":
        line.close()
        time.sleep(60)
    if way == "chatters":
        print("words " * 50_000)
        sys.exit("that is all")
    line.send({"kind": done(99, serial), "short": b"yes", "serial": done(DONE, serial + 1)}[way])


def main():
    way = sys.argv[1]
    line = socket.socket(fileno=int(os.environ["PAGESTORM_SOCKET"]))
    line.send(b"good morning" if way == "hello" else hello())
    while packet := socket.recv_fds(line, 4096, 1):
        data, descriptors, _, _ = packet
        for descriptor in descriptors:
            os.close(descriptor)
        if not data:
            return
        kind, serial = struct.unpack_from("<II", data)
        if kind in (APPLY, BUILD):
            answer(way, line, serial)


main()
