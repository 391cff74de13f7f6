"""Puts a Python function under Pagestorm's laws. Standard library only; NumPy and PyTorch where they are imported.

    import numpy, pagestorm

    @pagestorm.builder("mine", without=pagestorm.NO_BUILD)
    def apply(batch, out):
        out.cache_seqlens[: batch.rows] = ...

    if __name__ == "__main__":
        pagestorm.serve()

    $ pagestorm check --builder 'python3 mine.py'

`batch` and `out` have the attributes of pagestorm_batch and pagestorm_metadata (pagestorm/abi.h); what they mean is
docs/contract.md. Absent tensors are None. What Pagestorm and this module say to each other is docs/protocol.md.
"""
import ctypes
import gc
import mmap
import os
import socket
import struct
import sys
import traceback
import types

ABI_VERSION = 1
(INT32, INT64, UINT32), (HOST, CUDA) = range(3), range(2)
IDLE, DECODE, DRAFT_DECODE, TARGET_VERIFY, DRAFT_EXTEND, EXTEND, RAGGED_VERIFY = range(7)

# What a builder does not do: `without` of builder(). Each is explained in pagestorm/abi.h.
(NO_BUILD, NO_SWA, NO_STATUS, NO_ELEMENT_ZERO, NO_CLAMP, NO_BAD_INDICES, NO_BAD_LENGTHS, NO_EMPTY_BATCH, NO_CAPTURE,
 NO_WRITE_SLOTS, NO_TAIL_ZEROS, NO_INPUT_STRIDES, NO_OUTPUT_STRIDES, NO_OWN_SWA_STRIDE, NO_PADDED_TABLES, NO_FAR_ROWS,
 FULL_WIDTH, NO_REFUSALS) = (1 << bit for bit in range(18))

# What a value becomes: `absent` and `tombstone` of builder().
AS_CONTRACT, BECOMES_ZERO, BECOMES_MINUS_ONE, BECOMES_ANYTHING, MAY_NOT_OCCUR = range(5)

_HELLO, _REGION, _FORGET, _APPLY, _BUILD, _DONE, _CAPTURE, _LAUNCH = range(1, 9)
_calls = frozenset((_APPLY, _BUILD, _CAPTURE, _LAUNCH))
_hello = struct.Struct("<II Ii64sIIiiiiiIIIIIq I1020s")
_region = struct.Struct("<IIqii64s")
_call = struct.Struct("<IIII 368s 392s")
_scalars = struct.Struct("<iiiii4xq")
_names = ("mode", "draft_step", "tokens_per_row", "has_cached_prefix", "page_size", "rows")
_tensor = struct.Struct("<Qiiiiqqqq")
_done = struct.Struct("<IIiI1008s")
_inputs = {name: _scalars.size + _tensor.size * i for i, name in enumerate(
    ("req_to_token", "req_pool_indices", "seq_lens", "extend_seq_lens", "out_cache_loc", "full_to_swa"))}
_outputs = {name: _tensor.size * i for i, name in enumerate(
    ("cache_seqlens", "cu_seqlens_q", "cu_seqlens_k", "page_table", "swa_page_table", "swa_out_cache_loc", "status"))}


class Tensor:
    """A view of memory that Pagestorm owns. numpy.asarray(t) works on the host, torch.as_tensor(t) on a device; without
    either, t[i] is an element of a vector, and row i of a matrix as a memoryview. Strides are counted in elements."""

    __slots__ = ("address", "dtype", "shape", "strides", "device", "device_index", "itemsize", "_offset", "_region")

    def __init__(self, region, packed):
        place, self.dtype, self.device, self.device_index, ndim, *extent = _tensor.unpack(packed)
        self._region, self._offset = region, place - 1
        self.address = region.address + place - 1
        self.shape, self.strides = tuple(extent[:ndim]), tuple(extent[2:2 + ndim])
        self.itemsize = 8 if self.dtype == INT64 else 4

    def _interface(self, device, kind):
        if self.device != device:
            raise AttributeError("the tensor is in the memory of another device")
        return {"version": 3, "typestr": kind, "shape": self.shape, "data": (self.address, False),
                "strides": tuple([stride * self.itemsize for stride in self.strides])}

    @property
    def __array_interface__(self):
        return self._interface(HOST, ("<i4", "<i8", "<u4")[self.dtype])

    @property
    def __cuda_array_interface__(self):  # The status word is signed here: few operations of PyTorch know uint32.
        return self._interface(CUDA, ("<i4", "<i8", "<i4")[self.dtype])

    def _line(self, offset, size, stride):
        if self.device != HOST:
            raise TypeError("the tensor is on a device: take it by torch.as_tensor(t)")
        span = ((size - 1) * stride + 1) * self.itemsize if size > 0 else 0
        return memoryview(self._region.memory)[offset:offset + span].cast("iqI"[self.dtype])[::stride or 1]

    def memoryview(self):
        """A vector without a copy."""
        return self._line(self._offset, self.shape[0], self.strides[0])

    def __getitem__(self, index):
        if len(self.shape) == 1:
            return self.memoryview()[index]
        if not 0 <= index < self.shape[0]:
            raise IndexError(f"row {index} of {self.shape[0]}")
        return self._line(self._offset + index * self.strides[0] * self.itemsize, self.shape[1], self.strides[1])

    def __setitem__(self, index, value):
        if len(self.shape) == 2:
            raise TypeError("write t[row][column], or import numpy before pagestorm.serve() to be given arrays")
        self.memoryview()[index] = value


class _Views:
    """Tensors of one side of a call by name, each made when it is first asked for."""

    def __init__(self, region, packed, places, **scalars):
        self.__dict__.update(scalars, _region=region, _packed=packed, _places=places)

    def __setattr__(self, name, value):  # Kept from call to call: what is assigned would be there in the next one.
        if value is not getattr(self, name):
            raise AttributeError(f"write into {name}, {name}[...] = values, or return a dict")

    def __getattr__(self, name):
        at = self.__dict__["_places"].get(name)
        if at is None:
            raise AttributeError(f"there is no {name} here, but {', '.join(self._places)}")
        view = self.__dict__[name] = self._region.view(self._packed[at:at + _tensor.size])
        return view


class Batch(_Views):
    """Inputs of one forward pass: tensors that are only read, and scalars."""

    def __init__(self, region, packed):
        super().__init__(region, packed, _inputs, **dict(zip(_names, _scalars.unpack_from(packed))))


class Metadata(_Views):
    """Outputs of one forward pass: tensors that are written in place."""

    def __init__(self, region, packed):
        super().__init__(region, packed, _outputs)


class _Region:
    """Memory of Pagestorm, and what was seen in it. Views keep it alive; memory of a device ends with close()."""

    def __init__(self, packet, descriptor, tensors, cuda):
        _, _, size, self.device, index, handle = _region.unpack_from(packet)
        self.memory = None if self.device == CUDA else mmap.mmap(descriptor, size)
        self.address = (cuda.open(handle, index) if self.device == CUDA else
                        ctypes.addressof(ctypes.c_char.from_buffer(self.memory)))
        self._tensors, self._cuda, self._views, self._sides = tensors, cuda, {}, {}

    def view(self, packed):
        view = self._views.get(packed)
        if view is None and any(packed[:8]):
            view = self._views[packed] = self._tensors(Tensor(self, packed))
        return view

    def side(self, packed, make):
        """One side of a call from its packed form; what came before is not made anew."""
        side = self._sides.get(packed)
        if side is None:
            if len(self._sides) >= 4096:  # calls that are remembered
                self._forget()
            side = self._sides[packed] = make(self, packed)
        return side

    def _forget(self):
        self._sides.clear()
        self._views.clear()

    def close(self):
        self._forget()
        if self.device == CUDA:
            self._cuda.close(self.address)


_declared = []


def builder(name, *, device=HOST, without=0, modes=(), page_sizes=(1, 4096), power_of_two=False, absent=AS_CONTRACT,
            tombstone=AS_CONTRACT, index_types=(), length_types=(), location_types=(), map_types=(), rows_high=0,
            tensors=None):
    """Declares the function below it, f(batch, out), as pagestorm_apply. The arguments are the fields of
    pagestorm_capabilities, () standing for all: what is not declared is the whole contract. Tensors are given as numpy
    arrays on the host and torch tensors on a device where those are imported, or as what `tensors` makes of a Tensor.
    The function writes into `out`, or returns a dict of arrays by name: their live rows and columns are copied."""
    def declare(function):
        one = types.SimpleNamespace(apply=function, build=None, device=device, without=without, tensors=tensors)
        kinds = (index_types, length_types, location_types, map_types)
        one.capabilities = [128, device, name.encode(), _bits(modes), without, *page_sizes, power_of_two, absent,
                            tombstone, *map(_bits, kinds), 0, rows_high]
        _declared.append(one)
        return function
    return declare


def build(function):
    """Declares the function below it, f(batch, out), as pagestorm_build: the page tables alone, from final lengths."""
    if not _declared:
        raise ValueError("pagestorm.build: comes behind pagestorm.builder")
    _declared[-1].build = function
    return function


def _bits(numbers):
    return sum(1 << number for number in set(numbers))


def _cut(text, room):
    """What fits of a text into so many bytes with a 0 behind it."""
    return text.encode(errors="replace")[:room - 1].decode(errors="ignore").encode()


def _told(error):
    """An exception on one line: what it is, and where it came from, the innermost place first."""
    places = [place for place in traceback.extract_tb(error.__traceback__) if place.filename != __file__]
    return "; ".join(["".join(traceback.format_exception_only(type(error), error)).strip()] + [
        f"{os.path.basename(place.filename)}:{place.lineno} in {place.name}: {place.line}" for place in places[::-1]])


def _copy(given, kind, batch, out, full_width):
    """Carries what a function returned into the outputs."""
    rows = batch.rows
    for name, size in (("cache_seqlens", rows), ("cu_seqlens_q", rows + 1), ("cu_seqlens_k", rows + 1)):
        if name in given:
            getattr(out, name)[:size] = given[name][:size]
    if "swa_out_cache_loc" in given:
        out.swa_out_cache_loc[:len(given["swa_out_cache_loc"])] = given["swa_out_cache_loc"]
    if "status" in given:
        out.status[0] |= int(given["status"])
    for name in {"page_table", "swa_page_table"} & set(given):
        table, width = getattr(out, name), min(given[name].shape[1], getattr(out, name).shape[1])
        lengths = (batch.seq_lens if kind == _BUILD else out.cache_seqlens)[:rows].tolist() if rows else []
        for row, length in enumerate(lengths):
            live = width if full_width else max(0, min(width, -(-length // batch.page_size)))
            table[row, :live] = given[name][row, :live]
    unknown = set(given) - set(_outputs)
    if unknown:
        raise KeyError(f"no output is called {', '.join(sorted(unknown))}; they are {', '.join(_outputs)}")


def _answer(one, kind, batch, out):
    given = (one.build if kind == _BUILD else one.apply)(batch, out)
    if given is not None and given is not out:
        _copy(given, kind, batch, out, one.without & FULL_WIDTH)


def _loop(connection, one, cuda):
    """Serves until Pagestorm closes the socket."""
    library, name = ("numpy", "asarray") if one.device == HOST else ("torch", "as_tensor")
    tensors = one.tensors or getattr(sys.modules.get(library), name, lambda tensor: tensor)
    regions = {}
    packet, answer, room = bytearray(4096), bytearray(_done.size), socket.CMSG_SPACE(4)
    receive, send = connection.recvmsg_into, connection.send
    perform = cuda.perform if cuda else lambda _, answered, *call: answered(*call)
    while True:
        size, ancillary, _, _ = receive([packet], room)
        if size == 0:
            return
        kind, serial, inputs, image, packed_batch, packed_out = _call.unpack_from(packet)
        if kind in _calls:
            text = b""
            try:
                perform(kind, _answer, one, kind, regions[inputs].side(packed_batch, Batch),
                        regions[image].side(packed_out, Metadata))
            except Exception as error:  # pylint: disable=broad-except
                text = _cut(_told(error), 1008)
            if cuda:
                cuda.wait()  # A device that is lost ends the process; the next one finds it well again.
            _done.pack_into(answer, 0, _DONE, serial, text != b"", 0, text)
            send(answer)
        elif kind in (_REGION, _FORGET):
            if serial in regions:
                regions.pop(serial).close()
            descriptor = struct.unpack("i", ancillary[0][2])[0] if ancillary else -1
            if kind == _REGION:
                regions[serial] = _Region(packet, descriptor, tensors, cuda)
            if ancillary:
                os.close(descriptor)
        else:
            sys.exit(f"pagestorm: a packet of unknown kind {kind}; is this module older than Pagestorm?")


def serve(refused=""):
    """Answers Pagestorm's calls until there are no more. `refused`, if not empty, says why it cannot run here."""
    number = os.environ.get("PAGESTORM_SOCKET")
    if number is None:
        sys.exit(f"this is a builder for Pagestorm: run it as pagestorm check --builder 'python3 {sys.argv[0]}'")
    if len(_declared) != 1:
        sys.exit(f"pagestorm.serve: {len(_declared)} builders are declared; write @pagestorm.builder above one")
    one, cuda = _declared[0], None
    if one.build is None and not one.without & NO_BUILD:
        sys.exit("pagestorm.serve: write @pagestorm.build above a function, or declare without=pagestorm.NO_BUILD")
    try:
        if one.device == CUDA:
            import pagestorm_cuda
            cuda = pagestorm_cuda.Driver()
            one.capabilities[4] |= 0 if cuda.captures() else NO_CAPTURE
    except OSError as error:
        refused = refused or f"no CUDA device: {error}"
    with socket.socket(fileno=int(number)) as connection:
        connection.send(_hello.pack(_HELLO, ABI_VERSION, *one.capabilities, refused != "", _cut(refused, 1020)))
        gc.freeze()
        if not refused:
            _loop(connection, one, cuda)
