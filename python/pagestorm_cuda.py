"""What pagestorm.py needs of a device: the CUDA driver, in the primary context, which PyTorch uses too, and its graphs."""
import ctypes
import sys

_CAPTURE, _LAUNCH = 7, 8  # Kinds of packets.


class _Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


class Driver:
    """Opens memory of other processes, and waits for work. Throws OSError with the function that failed."""

    def __init__(self):
        self._driver, self._context, self._stream, self._graph = ctypes.CDLL("libcuda.so.1"), None, None, None
        self._do("cuInit", 0)

    def _do(self, function, *arguments):
        code = getattr(self._driver, function)(*arguments)
        if code != 0:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(code, ctypes.byref(text))
            raise OSError(f"{function}: {(text.value or b'error').decode()} ({code})")

    def open(self, handle, index):
        if self._context is None:
            device, self._context = ctypes.c_int(), ctypes.c_void_p()
            self._do("cuDeviceGet", ctypes.byref(device), index)
            self._do("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        self._do("cuCtxSetCurrent", self._context)
        address = ctypes.c_uint64()
        lazily = ctypes.c_uint(1)  # Access between devices is switched on when it is needed.
        self._do("cuIpcOpenMemHandle_v2", ctypes.byref(address), _Handle.from_buffer_copy(handle), lazily)
        return address.value

    def close(self, address):
        self._do("cuIpcCloseMemHandle", ctypes.c_uint64(address))

    def wait(self):
        self._do("cuCtxSynchronize")

    def captures(self):
        """Whether calls can be captured: graphs are those of PyTorch."""
        return "torch" in sys.modules

    def perform(self, kind, work, *arguments):
        """A call by its kind: runs it, captures it, or runs what was captured."""
        if kind == _CAPTURE:
            self._capture(work, *arguments)
        elif kind == _LAUNCH:
            self._launch()
        else:
            work(*arguments)

    def _capture(self, work, *arguments):
        """Captures what `work` enqueues on the current stream of PyTorch in a graph, where a host sync is an error."""
        torch = sys.modules["torch"]
        self._stream = self._stream or torch.cuda.Stream()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(self._stream):
            self._graph.capture_begin()
            try:
                work(*arguments)
            except Exception:
                self._give_up()
                raise
            self._graph.capture_end()

    def _give_up(self):
        try:
            self._graph.capture_end()
        except RuntimeError:  # It says again that the capture failed.
            pass

    def _launch(self):
        """Runs the graph that was captured last."""
        with sys.modules["torch"].cuda.stream(self._stream):
            self._graph.replay()
