"""Compiles the kernels ahead of time and writes the kernel file: python3 export.py DIR

Then pagestorm check --builder DIR/builder.toml needs neither Python nor Triton.
"""
import pathlib
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import kernels

BLOCK = kernels.BLOCK
LENGTH = "seq_lens seq_lens.stride0:i64"
SWA_MAP = "full_to_swa full_to_swa.stride0:i64 full_to_swa.shape0:i64"
TABLES = (f"{LENGTH} req_pool_indices req_pool_indices.stride0:i64 req_to_token req_to_token.shape0:i64 "
          "req_to_token.shape1:i64 req_to_token.stride0:i64 req_to_token.stride1:i64 page_table page_table.stride0:i64 "
          f"page_table.stride1:i64 width:i64 {SWA_MAP} swa_page_table swa_page_table.stride0:i64 "
          "swa_page_table.stride1:i64 page_size:i64 {added}:i64")
LENGTHS = (f"{LENGTH} cache_seqlens cache_seqlens.stride0:i64 cu_seqlens_q cu_seqlens_q.stride0:i64 cu_seqlens_k "
           "cu_seqlens_k.stride0:i64 rows:i64 added:i64 queries:i64")
SLOTS = (f"out_cache_loc out_cache_loc.stride0:i64 out_cache_loc.shape0:i64 {SWA_MAP} swa_out_cache_loc "
         "swa_out_cache_loc.stride0:i64 swa_out_cache_loc.shape0:i64")
INT32 = {"req_to_token", "cache_seqlens", "cu_seqlens_q", "cu_seqlens_k", "page_table", "swa_page_table"}


def signature(arguments):
    """Types as Triton writes them: a tensor is a pointer to int64 where it is not one to int32."""
    kinds = ["i64" if ":" in one else "*i32" if one in INT32 else "*i64" for one in arguments]
    return kinds


def compiled(folder, name, kernel, arguments, constants):
    """Writes a cubin; returns its file, threads, shared memory, and the hidden arguments behind the given ones."""
    names = kernel.arg_names
    types = dict(zip(names, signature(arguments))) | {constant: "constexpr" for constant in constants}
    source = ASTSource(fn=kernel, signature=types, constexprs={(names.index(c),): v for c, v in constants.items()})
    binary = triton.compile(source, target=GPUTarget("cuda", 90, 32))
    (folder / f"{name}.cubin").write_bytes(binary.asm["cubin"])
    # Scratch memory that these kernels do not use: Triton passes it all the same, as null.
    hidden = sum(hasattr(binary.metadata, scratch) for scratch in ("global_scratch_size", "profile_scratch_size"))
    return binary.metadata, ["0:ptr"] * hidden


def launch(folder, operation, name, kernel, grid, when, arguments, constants):
    given = arguments.split()
    metadata, hidden = compiled(folder, name, kernel, given, constants)
    words = ", ".join(f'"{one}"' for one in given + hidden)
    return (f'\n[[{operation}]]\nmodule = "{name}.cubin"\nkernel = "{metadata.name}"\ngrid = [{grid}]\n'
            f'block = {32 * metadata.num_warps}\nshared_bytes = {metadata.shared}\nwhen = "{when}"\n'
            f'arguments = [{words}]\n')


def tables(folder, operation, added):
    text = ""
    for hybrid, when in ((False, "1 - swa"), (True, "swa")):
        name = f"{operation}_tables_{'swa' if hybrid else 'full'}"
        text += launch(folder, operation, name, kernels.fill_tables, f'"rows", "cdiv(width, {BLOCK})"', when,
                       TABLES.format(added=added), {"HYBRID": hybrid, "BLOCK": BLOCK})
    return text


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    text = ('name = "triton-cubin"\n\n[capabilities]\nwithout = ["status"]\nindex_types = "int64"\n'
            'length_types = "int64"\nlocation_types = "int64"\nmap_types = "int64"\n'
            'modes = ["idle", "decode", "draft_decode", "target_verify", "draft_extend"]\n')
    text += tables(folder, "apply", "added")
    text += launch(folder, "apply", "lengths", kernels.sum_lengths, '"1"', "1", LENGTHS, {"BLOCK": 1024})
    text += launch(folder, "apply", "slots", kernels.translate, f'"cdiv(swa_out_cache_loc.shape0, {BLOCK})"', "swa",
                   SLOTS, {"BLOCK": BLOCK})
    text += tables(folder, "build", "0")
    (folder / "builder.toml").write_text(text)
    print(f"{folder / 'builder.toml'}: 6 kernels for sm_90, Triton {triton.__version__}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "triton-builder"))
