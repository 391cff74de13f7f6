/* Prints "struct.field offset size" for everything that travels, as the C compiler lays it out. */
#include <stddef.h>
#include <stdio.h>

#include "pagestorm/wire.h"

#define WHOLE(type) printf(#type " 0 %zu\n", sizeof(type))
#define FIELD(type, field) printf(#type "." #field " %zu %zu\n", offsetof(type, field), sizeof(((type*)0)->field))

static void tensors_and_calls(void) {
  WHOLE(pagestorm_tensor);
  FIELD(pagestorm_tensor, data);
  FIELD(pagestorm_tensor, dtype);
  FIELD(pagestorm_tensor, device);
  FIELD(pagestorm_tensor, device_index);
  FIELD(pagestorm_tensor, ndim);
  FIELD(pagestorm_tensor, shape);
  FIELD(pagestorm_tensor, strides);
  WHOLE(pagestorm_batch);
  FIELD(pagestorm_batch, mode);
  FIELD(pagestorm_batch, draft_step);
  FIELD(pagestorm_batch, tokens_per_row);
  FIELD(pagestorm_batch, has_cached_prefix);
  FIELD(pagestorm_batch, page_size);
  FIELD(pagestorm_batch, reserved);
  FIELD(pagestorm_batch, rows);
  FIELD(pagestorm_batch, req_to_token);
  FIELD(pagestorm_batch, req_pool_indices);
  FIELD(pagestorm_batch, seq_lens);
  FIELD(pagestorm_batch, extend_seq_lens);
  FIELD(pagestorm_batch, out_cache_loc);
  FIELD(pagestorm_batch, full_to_swa);
  WHOLE(pagestorm_metadata);
  FIELD(pagestorm_metadata, cache_seqlens);
  FIELD(pagestorm_metadata, cu_seqlens_q);
  FIELD(pagestorm_metadata, cu_seqlens_k);
  FIELD(pagestorm_metadata, page_table);
  FIELD(pagestorm_metadata, swa_page_table);
  FIELD(pagestorm_metadata, swa_out_cache_loc);
  FIELD(pagestorm_metadata, status);
  WHOLE(pagestorm_wire_call);
  FIELD(pagestorm_wire_call, kind);
  FIELD(pagestorm_wire_call, serial);
  FIELD(pagestorm_wire_call, inputs);
  FIELD(pagestorm_wire_call, image);
  FIELD(pagestorm_wire_call, batch);
  FIELD(pagestorm_wire_call, out);
}

static void hello(void) {
  WHOLE(pagestorm_capabilities);
  FIELD(pagestorm_capabilities, size);
  FIELD(pagestorm_capabilities, device);
  FIELD(pagestorm_capabilities, name);
  FIELD(pagestorm_capabilities, modes);
  FIELD(pagestorm_capabilities, without);
  FIELD(pagestorm_capabilities, page_size_low);
  FIELD(pagestorm_capabilities, page_size_high);
  FIELD(pagestorm_capabilities, page_size_power_of_two);
  FIELD(pagestorm_capabilities, absent_becomes);
  FIELD(pagestorm_capabilities, tombstone_becomes);
  FIELD(pagestorm_capabilities, index_types);
  FIELD(pagestorm_capabilities, length_types);
  FIELD(pagestorm_capabilities, location_types);
  FIELD(pagestorm_capabilities, map_types);
  FIELD(pagestorm_capabilities, reserved);
  FIELD(pagestorm_capabilities, rows_high);
  WHOLE(pagestorm_wire_hello);
  FIELD(pagestorm_wire_hello, kind);
  FIELD(pagestorm_wire_hello, abi_version);
  FIELD(pagestorm_wire_hello, capabilities);
  FIELD(pagestorm_wire_hello, refused);
  FIELD(pagestorm_wire_hello, text);
}

static void regions_and_answers(void) {
  WHOLE(pagestorm_wire_region);
  FIELD(pagestorm_wire_region, kind);
  FIELD(pagestorm_wire_region, region);
  FIELD(pagestorm_wire_region, bytes);
  FIELD(pagestorm_wire_region, device);
  FIELD(pagestorm_wire_region, device_index);
  FIELD(pagestorm_wire_region, ipc_handle);
  WHOLE(pagestorm_wire_done);
  FIELD(pagestorm_wire_done, kind);
  FIELD(pagestorm_wire_done, serial);
  FIELD(pagestorm_wire_done, result);
  FIELD(pagestorm_wire_done, reserved);
  FIELD(pagestorm_wire_done, text);
}

int main(void) {
  hello();
  tensors_and_calls();
  regions_and_answers();
  return 0;
}
