"""python/pagestorm.py as Pagestorm meets it: started as a process, spoken to over the socket."""
import os
import subprocess
import sys
import unittest

import wire

IMPORT = "import pagestorm\n"
SERVE = "\npagestorm.serve()\n"

# Plain Python, without arrays: lengths, one table, the status word.
PLAIN = IMPORT + """
@pagestorm.builder("plain", without=pagestorm.NO_SWA | pagestorm.NO_CAPTURE, modes=[pagestorm.DECODE, pagestorm.EXTEND],
                   page_sizes=(2, 64), power_of_two=True, absent=pagestorm.BECOMES_ZERO,
                   tombstone=pagestorm.MAY_NOT_OCCUR, index_types=[pagestorm.INT64], rows_high=2**33)
def apply(batch, out):
    for row in range(batch.rows):
        length = batch.seq_lens[row]
        out.cache_seqlens[row] = length
        slots, pages = batch.req_to_token[batch.req_pool_indices[row]], out.page_table[row]
        for column in range(min(-(-length // batch.page_size), len(pages))):
            pages[column] = slots[column * batch.page_size] // batch.page_size
    assert batch.full_to_swa is None and out.swa_page_table is None
    out.status[0] |= batch.mode << 4

@pagestorm.build
def build(batch, out):
    out.status[0] = 2**32 - 1
""" + SERVE


def decode(memory, lengths=(3, 4), page_size=2):
    return wire.Batch(mode=1, tokens_per_row=1, page_size=page_size, rows=len(lengths),
                      req_to_token=memory.tensor(range(20), shape=(2, 10), strides=(16, 1)),
                      req_pool_indices=memory.tensor([1, 0], dtype=1), seq_lens=memory.tensor(lengths))


def outputs(memory, width=4):
    return wire.Metadata(cache_seqlens=memory.tensor([-7] * 2, strides=(3,)), cu_seqlens_q=memory.tensor([-7] * 3),
                         cu_seqlens_k=memory.tensor([-7] * 3),
                         page_table=memory.tensor([-7] * 2 * width, shape=(2, width), strides=(40, 2)),
                         status=memory.tensor([1], dtype=2))


class Process(unittest.TestCase):
    def serve(self, source):
        served = wire.Served(source)
        self.addCleanup(served.process.kill)
        hello = served.receive(wire.Hello)
        inputs, image = wire.Memory(1 << 16), wire.Memory(1 << 16)
        if hello is not None and not hello.refused:
            served.share(1, inputs)
            served.share(2, image)
        return served, hello, inputs, image


class Serving(Process):
    def test_begins_with_what_is_declared(self):
        served, hello, *_ = self.serve(PLAIN)
        self.assertEqual((hello.kind, hello.abi_version, hello.refused, hello.text), (1, 1, 0, b""))
        declared = {name: getattr(hello.capabilities, name) for name, _ in wire.Capabilities._fields_}
        self.assertEqual(declared, {
            "size": 128, "device": 0, "name": b"plain", "modes": 1 << 1 | 1 << 5, "without": 1 << 1 | 1 << 8,
            "page_size_low": 2, "page_size_high": 64, "page_size_power_of_two": 1, "absent_becomes": 1,
            "tombstone_becomes": 4, "index_types": 2, "length_types": 0, "location_types": 0, "map_types": 0,
            "reserved": 0, "rows_high": 2**33})
        self.assertEqual(served.end(), (0, ""))

    def test_reads_and_writes_views_in_place(self):
        served, _, inputs, image = self.serve(PLAIN)
        batch, out = decode(inputs), outputs(image)
        before = bytes(inputs.bytes)
        done = served.call(wire.APPLY, batch, out)
        self.assertEqual((done.kind, done.serial, done.result, done.text), (wire.DONE, 1, 0, b""))
        self.assertEqual(image.values(out.cache_seqlens), [3, 4])
        self.assertEqual(image.values(out.page_table), [5, 6, -7, -7, 0, 1, -7, -7])
        self.assertEqual(image.values(out.cu_seqlens_q), [-7] * 3)
        self.assertEqual(image.values(out.status), [0x11])
        self.assertEqual(bytes(inputs.bytes), before)
        self.assertEqual(served.call(wire.BUILD, batch, out).result, 0)
        self.assertEqual(image.values(out.status), [2**32 - 1])
        served.end()

    def test_sees_new_contents_in_a_call_that_came_before(self):
        served, _, inputs, image = self.serve(PLAIN)
        batch, out = decode(inputs), outputs(image)
        served.call(wire.APPLY, batch, out)
        inputs.tensor([1, 9], at=batch.seq_lens.data - 1)
        served.call(wire.APPLY, batch, out)
        self.assertEqual(image.values(out.cache_seqlens), [1, 9])
        served.end()

    def test_takes_new_memory_under_a_number_that_was_used(self):
        served, _, inputs, image = self.serve(PLAIN)
        batch, out = decode(inputs), outputs(image)
        served.call(wire.APPLY, batch, out)
        other = wire.Memory(1 << 16)
        again = outputs(other)
        self.assertEqual(bytes(again), bytes(out))
        served.share(2, other)
        inputs.tensor([5, 6], at=batch.seq_lens.data - 1)
        self.assertEqual(served.call(wire.APPLY, batch, again).result, 0)
        self.assertEqual((other.values(again.cache_seqlens), image.values(out.cache_seqlens)), ([5, 6], [3, 4]))
        served.forget(2)
        self.assertIn(b"KeyError", served.call(wire.APPLY, batch, again).text)
        served.end()

    def test_reaches_past_32_bits_in_memory_that_is_mostly_absent(self):
        served, _, inputs, _ = self.serve(PLAIN)
        far = wire.Memory(1 << 36)
        served.share(3, far)
        out = outputs(wire.Memory(1 << 16))
        out.page_table = far.tensor([-7] * 8, shape=(2, 4), strides=(2**32, 1))
        out.cache_seqlens, out.status = far.tensor([0, 0], at=1 << 35), far.tensor([0], dtype=2, at=(1 << 35) + 64)
        self.assertEqual(served.call(wire.APPLY, decode(inputs), out, image=3).result, 0)
        self.assertEqual(far.values(out.page_table), [5, 6, -7, -7, 0, 1, -7, -7])
        served.end()

    def test_goes_on_after_an_exception_and_says_what_it_was(self):
        served, _, inputs, image = self.serve(PLAIN)
        batch, out = decode(inputs), outputs(image)
        wrong = decode(inputs)
        wrong.req_pool_indices = inputs.tensor([8, 0], dtype=1)
        done = served.call(wire.APPLY, wrong, out)
        self.assertEqual((done.serial, done.result), (1, 1))
        self.assertRegex(done.text.decode(), r"^IndexError: row 8 of 2; mine.py:10 in apply: slots, pages = batch.req_")
        self.assertEqual(served.call(wire.APPLY, batch, out).result, 0)
        served.end()

    def test_does_not_take_an_assignment_for_a_write(self):
        served, _, inputs, image = self.serve(PLAIN.replace("    out.status[0] |=", "    out.cache_seqlens = [1]  #"))
        batch, out = decode(inputs), outputs(image)
        done = served.call(wire.APPLY, batch, out)
        self.assertIn(b"AttributeError: write into cache_seqlens, cache_seqlens[...] = values", done.text)
        served.end()

    def test_keeps_the_first_of_a_long_explanation(self):
        source = IMPORT + """
@pagestorm.builder("deep", without=pagestorm.NO_BUILD)
def apply(batch, out, depth=50):
    if depth == 0:
        raise ValueError("\\u2014" * 50)
    apply(batch, out, depth - 1) or depth and apply(batch, out, -1)
""" + SERVE
        served, _, inputs, image = self.serve(source)
        done = served.call(wire.APPLY, decode(inputs), outputs(image))
        self.assertTrue(done.text.decode().startswith("ValueError: " + "\u2014" * 50 + "; mine.py:6 in apply: "))
        self.assertIn(len(done.text), range(1000, 1008))
        served.end()

    def test_refuses_where_it_is_told_to(self):
        served, hello, *_ = self.serve(PLAIN.replace("serve()", "serve(refused='it is Sunday')"))
        self.assertEqual((hello.refused, hello.text), (1, b"it is Sunday"))
        self.assertEqual(served.end(), (0, ""))

    @unittest.skipIf(os.path.exists("/dev/nvidiactl"), "there is a device")
    def test_refuses_a_device_that_is_not_there(self):
        served, hello, *_ = self.serve(PLAIN.replace('"plain",', '"plain", device=pagestorm.CUDA,'))
        self.assertEqual(hello.refused, 1)
        self.assertIn(b"no CUDA device", hello.text)
        self.assertEqual(served.end(), (0, ""))


class Declaring(unittest.TestCase):
    def said(self, source, served=True):
        if served:
            server = wire.Served(source)
            self.assertIsNone(server.receive(wire.Hello))
            return server.end()
        told = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False,
                              env={"PYTHONPATH": str(wire.ROOT / "python")})
        return told.returncode, told.stderr

    def test_says_how_to_run_it(self):
        code, text = self.said(PLAIN, served=False)
        self.assertEqual(code, 1)
        self.assertIn("pagestorm check --builder 'python3 ", text)

    def test_wants_a_builder(self):
        code, text = self.said(IMPORT + SERVE)
        self.assertEqual(code, 1)
        self.assertIn("@pagestorm.builder", text)

    def test_wants_build_or_a_word_that_there_is_none(self):
        code, text = self.said(PLAIN.replace("@pagestorm.build\n", ""))
        self.assertEqual(code, 1)
        self.assertIn("without=pagestorm.NO_BUILD", text)

    def test_serves_one(self):
        code, text = self.said(IMPORT + "pagestorm.builder('a')(print)\npagestorm.builder('b')(print)" + SERVE)
        self.assertEqual(code, 1)
        self.assertIn("2 builders are declared", text)


if __name__ == "__main__":
    unittest.main()
