"""Builders that use NumPy: arrays as views, returned dicts, and the example on the contract's worked one."""
import sys
import unittest

import wire
from module_test import IMPORT, SERVE, Process, decode, outputs

EXAMPLE = (wire.ROOT / "examples/python/numpy_builder.py").read_text()

RETURNS = "import numpy\n" + IMPORT + """
@pagestorm.builder("returns", without=pagestorm.NO_SWA)
def apply(batch, out):
    lengths = batch.seq_lens[:batch.rows]
    table = numpy.arange(6).reshape(2, 3)
    return {"cache_seqlens": lengths, "cu_seqlens_k": [0, *lengths.cumsum()], "page_table": table, "status": 4}

@pagestorm.build
def build(batch, out):
    return {"page_tables": None}
""" + SERVE


class Arrays(Process):
    def test_that_are_returned_are_copied_where_rows_live(self):
        served, _, inputs, image = self.serve(RETURNS)
        batch, out = decode(inputs, lengths=(9, 1)), outputs(image)
        done = served.call(wire.APPLY, batch, out)
        self.assertEqual((done.result, done.text), (0, b""))
        self.assertEqual(image.values(out.cache_seqlens), [9, 1])
        self.assertEqual(image.values(out.cu_seqlens_k), [0, 9, 10])
        self.assertEqual(image.values(out.cu_seqlens_q), [-7] * 3)
        self.assertEqual(image.values(out.page_table), [0, 1, 2, -7, 3, -7, -7, -7])
        self.assertEqual(image.values(out.status), [5])
        served.end()

    def test_that_are_returned_are_copied_whole_by_who_says_so(self):
        served, _, inputs, image = self.serve(RETURNS.replace("pagestorm.NO_SWA", "pagestorm.FULL_WIDTH"))
        batch, out = decode(inputs, lengths=(9, 1)), outputs(image)
        served.call(wire.APPLY, batch, out)
        self.assertEqual(image.values(out.page_table), [0, 1, 2, -7, 3, 4, 5, -7])
        served.end()

    def test_that_nobody_asked_for_are_named(self):
        served, _, inputs, image = self.serve(RETURNS)
        done = served.call(wire.BUILD, decode(inputs), outputs(image))
        self.assertIn(b"no output is called page_tables", done.text)
        served.end()


def worked(inputs):
    """docs/contract.md, "Worked example"."""
    slots = [0] * 6 * 16
    for row, pages in ((2, [6, 3]), (5, [9, 1, 11, 7])):
        for position in range(4 * len(pages)):
            slots[16 * row + position] = 4 * pages[position // 4] + position % 4
    slots[16 * 5 + 8] = -1
    swa = [0] * 48
    for page, swa_page in ((3, 2), (1, 5), (11, 1), (7, 3)):
        for offset in range(4):
            swa[4 * page + offset] = 4 * swa_page + offset
    return wire.Batch(
        mode=3, tokens_per_row=2, page_size=4, rows=3, req_to_token=inputs.tensor(slots, shape=(6, 16)),
        req_pool_indices=inputs.tensor([2, 5, 0], dtype=1), seq_lens=inputs.tensor([5, 11, 1], strides=(2,)),
        out_cache_loc=inputs.tensor([13, 14, 47, 28, 0, 0], dtype=1), full_to_swa=inputs.tensor(swa, dtype=1))


class Example(Process):
    def test_gives_what_the_contract_works_out(self):
        served, _, inputs, image = self.serve(EXAMPLE)
        out = wire.Metadata(
            cache_seqlens=image.tensor([-7] * 3), cu_seqlens_q=image.tensor([-7] * 4),
            cu_seqlens_k=image.tensor([-7] * 4), page_table=image.tensor([-7] * 9, shape=(3, 3), strides=(5, 1)),
            swa_page_table=image.tensor([-7] * 9, shape=(3, 3), strides=(7, 2)),
            swa_out_cache_loc=image.tensor([-7] * 8, dtype=1), status=image.tensor([0], dtype=2))
        done = served.call(wire.APPLY, worked(inputs), out)
        self.assertEqual((done.result, done.text), (0, b""))
        expected = {
            "cache_seqlens": [7, 13, 3], "cu_seqlens_q": [0, 2, 4, 6], "cu_seqlens_k": [0, 7, 20, 23],
            "page_table": [6, 3, -7, 9, 1, -1, 0, -7, -7], "swa_page_table": [0, 2, -7, 0, 5, -1, 0, -7, -7],
            "swa_out_cache_loc": [9, 10, 7, 12, 0, 0, 0, 0], "status": [5]}
        self.assertEqual({name: image.values(getattr(out, name)) for name in expected}, expected)
        served.end()

    def test_builds_the_tables_alone(self):
        served, _, inputs, image = self.serve(EXAMPLE)
        out = outputs(image)
        self.assertEqual(served.call(wire.BUILD, decode(inputs), out).result, 0)
        self.assertEqual(image.values(out.page_table), [5, 6, -7, -7, 0, 1, -7, -7])
        self.assertEqual(image.values(out.cache_seqlens), [-7] * 2)
        served.end()


if __name__ == "__main__":
    try:
        import numpy  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        print("numpy is not installed: nothing was tested")
        sys.exit(77)  # Meson counts it as skipped
    unittest.main()
