"""The few functions of the CUDA driver that pagestorm.py needs, in the primary context, which PyTorch uses too."""
import ctypes


class _Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


class Driver:
    """Opens memory of other processes, and waits for work. Throws OSError with the function that failed."""

    def __init__(self):
        self._driver, self._context = ctypes.CDLL("libcuda.so.1"), None
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
