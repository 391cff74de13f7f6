"""layout_test.py PROGRAM: what travels is laid out by the module, and by these tests, as the C compiler does it."""
import ctypes
import pathlib
import subprocess
import sys
import unittest

import wire

sys.path.insert(0, str(wire.ROOT / "python"))
import pagestorm  # noqa: E402


class Layout(unittest.TestCase):
    def test_of_these_tests_is_that_of_the_compiler(self):
        lines = subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        expected = []
        for name, kind in wire.STRUCTS.items():
            expected.append(f"{name} 0 {ctypes.sizeof(kind)}")
            for field, _ in kind._fields_:
                where = getattr(kind, field)
                expected.append(f"{name}.{field} {where.offset} {where.size}")
        self.assertEqual(sorted(lines), sorted(expected))

    def test_of_the_module_is_as_large(self):
        for packed, kind in ((pagestorm._hello, wire.Hello), (pagestorm._region, wire.Region),
                             (pagestorm._call, wire.Call), (pagestorm._tensor, wire.Tensor),
                             (pagestorm._done, wire.Done)):
            self.assertEqual(packed.size, ctypes.sizeof(kind), kind.__name__)
        self.assertEqual(pagestorm._scalars.size, wire.Batch.req_to_token.offset)

    def test_of_a_tensor_is_the_same_field_by_field(self):
        tensor = wire.Tensor(2**40, 1, 1, 3, 2, (4, 5), (6, 7))
        self.assertEqual(pagestorm._tensor.unpack(bytes(tensor)), (2**40, 1, 1, 3, 2, 4, 5, 6, 7))

    def test_of_a_call_is_the_same_field_by_field(self):
        call = wire.Call(4, 5, 6, 7, wire.Batch(rows=9), wire.Metadata(status=wire.Tensor(data=8)))
        self.assertEqual(pagestorm._call.unpack(bytes(call)), (4, 5, 6, 7, bytes(call.batch), bytes(call.out)))


class Names(unittest.TestCase):
    """Constants of the module are those of the header."""

    def test_are_the_headers(self):
        header = (wire.ROOT / "src/api/pagestorm/abi.h").read_text()
        found = 0
        for line in header.split("\n"):
            words = line.split("/*")[0].replace("=", " ").split()
            if len(words) < 2 or not words[0].startswith("PAGESTORM_"):
                continue
            value = eval(" ".join(words[1:]).rstrip(","))  # pylint: disable=eval-used
            self.assertEqual(getattr(pagestorm, words[0][len("PAGESTORM_"):]), value, line)
            found += 1
        self.assertGreaterEqual(found, 30)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
