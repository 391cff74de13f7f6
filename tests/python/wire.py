"""The structs of pagestorm/wire.h once more, by ctypes, and Pagestorm's side of the socket."""
import ctypes
import mmap
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
from ctypes import c_char, c_int32, c_int64, c_uint32, c_uint64, c_uint8

HELLO, REGION, FORGET, APPLY, BUILD, DONE = 1, 2, 3, 4, 5, 6
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Tensor(ctypes.Structure):
    _fields_ = [("data", c_uint64), ("dtype", c_int32), ("device", c_int32), ("device_index", c_int32),
                ("ndim", c_int32), ("shape", c_int64 * 2), ("strides", c_int64 * 2)]


class Batch(ctypes.Structure):
    _fields_ = [(name, c_int32) for name in ("mode", "draft_step", "tokens_per_row", "has_cached_prefix", "page_size",
                                             "reserved")] + [("rows", c_int64)] + [
        (name, Tensor) for name in ("req_to_token", "req_pool_indices", "seq_lens", "extend_seq_lens", "out_cache_loc",
                                    "full_to_swa")]


class Metadata(ctypes.Structure):
    _fields_ = [(name, Tensor) for name in ("cache_seqlens", "cu_seqlens_q", "cu_seqlens_k", "page_table",
                                            "swa_page_table", "swa_out_cache_loc", "status")]


class Capabilities(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("device", c_int32), ("name", c_char * 64), ("modes", c_uint32),
                ("without", c_uint32), ("page_size_low", c_int32), ("page_size_high", c_int32),
                ("page_size_power_of_two", c_int32), ("absent_becomes", c_int32), ("tombstone_becomes", c_int32),
                ("index_types", c_uint32), ("length_types", c_uint32), ("location_types", c_uint32),
                ("map_types", c_uint32), ("reserved", c_uint32), ("rows_high", c_int64)]


class Hello(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("abi_version", c_uint32), ("capabilities", Capabilities), ("refused", c_uint32),
                ("text", c_char * 1020)]


class Region(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("region", c_uint32), ("bytes", c_int64), ("device", c_int32),
                ("device_index", c_int32), ("ipc_handle", c_uint8 * 64)]


class Call(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("serial", c_uint32), ("inputs", c_uint32), ("image", c_uint32), ("batch", Batch),
                ("out", Metadata)]


class Done(ctypes.Structure):
    _fields_ = [("kind", c_uint32), ("serial", c_uint32), ("result", c_int32), ("reserved", c_uint32),
                ("text", c_char * 1008)]


STRUCTS = {"pagestorm_tensor": Tensor, "pagestorm_batch": Batch, "pagestorm_metadata": Metadata,
           "pagestorm_capabilities": Capabilities, "pagestorm_wire_hello": Hello, "pagestorm_wire_region": Region,
           "pagestorm_wire_call": Call, "pagestorm_wire_done": Done}


class Memory:
    """A region: vectors and matrices laid one behind the other, each read back as a list."""

    def __init__(self, size):
        self.descriptor = os.memfd_create("region")
        os.ftruncate(self.descriptor, size)
        self.bytes, self.size, self.used = mmap.mmap(self.descriptor, size), size, 0

    def tensor(self, values, dtype=0, shape=None, strides=None, at=None):
        """Lays values out and gives the packed view of them; (rows, columns) and their strides in elements."""
        item = 8 if dtype == 1 else 4
        shape, offset = shape or (len(values),), self.used if at is None else at
        strides = strides or ((shape[1], 1) if len(shape) == 2 else (1,))
        columns = shape[-1] if len(shape) == 2 else len(values)
        for number, value in enumerate(values):
            row, column = divmod(number, columns) if columns else (0, 0)
            where = offset + item * (row * strides[0] + column * strides[1] if len(shape) == 2 else number * strides[0])
            self.bytes[where:where + item] = int(value).to_bytes(item, "little", signed=value < 0)
        if at is None:
            rows = shape[0] if len(shape) == 2 else 1
            self.used += 64 + item * (rows * strides[0] + shape[-1] * strides[-1])
        return Tensor(offset + 1, dtype, 0, 0, len(shape), (c_int64 * 2)(*shape), (c_int64 * 2)(*strides))

    def values(self, tensor):
        """What a view holds now, row by row."""
        rows = range(tensor.shape[0]) if tensor.ndim == 2 else (0,)
        columns, step = (tensor.shape[1], tensor.strides[1]) if tensor.ndim == 2 else (tensor.shape[0],
                                                                                     tensor.strides[0])
        item = 8 if tensor.dtype == 1 else 4
        return [int.from_bytes(self.bytes[at:at + item], "little", signed=tensor.dtype != 2)
                for row in rows for column in range(columns)
                for at in [tensor.data - 1 + item * (row * tensor.strides[0] + column * step)]]


class Served:
    """A file of Python, served in a process of its own; tests speak to it as Pagestorm does."""

    def __init__(self, source):
        self._folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self._folder.name) / "mine.py"
        path.write_text(source)
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(30)
        self.process = subprocess.Popen(
            [sys.executable, path], pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PAGESTORM_SOCKET": str(theirs.fileno()), "PYTHONPATH": str(ROOT / "python")})
        theirs.close()
        self.serial = 0

    def receive(self, kind):
        data = self.socket.recv(4096)
        return kind.from_buffer_copy(data) if data else None

    def share(self, number, memory):
        packet = Region(REGION, number, memory.size, 0, 0)
        socket.send_fds(self.socket, [bytes(packet)], [memory.descriptor])

    def forget(self, number):
        self.socket.send(bytes(Region(FORGET, number)))

    def call(self, kind, batch, out, inputs=1, image=2):
        self.serial += 1
        self.socket.send(bytes(Call(kind, self.serial, inputs, image, batch, out)))
        return self.receive(Done)

    def end(self):
        """The exit status, and what it said to people, once it is told that there is no more to do."""
        self.socket.close()
        said = self.process.communicate(timeout=30)[1]
        self._folder.cleanup()
        return self.process.returncode, said
