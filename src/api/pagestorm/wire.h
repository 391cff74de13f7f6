/* What Pagestorm and the process of an outside builder say to each other (docs/protocol.md).
 *
 * One packet is one message on a SOCK_SEQPACKET socket, whose descriptor the environment variable PAGESTORM_SOCKET
 * names. Numbers are little endian, structs are those of the C compiler on a 64-bit machine, without hidden padding.
 */
#ifndef PAGESTORM_WIRE_H
#define PAGESTORM_WIRE_H

#include "pagestorm/abi.h"

enum {
  PAGESTORM_WIRE_HELLO = 1,   /* builder, first: pagestorm_wire_hello */
  PAGESTORM_WIRE_REGION = 2,  /* Pagestorm: pagestorm_wire_region, with a descriptor where it is host memory */
  PAGESTORM_WIRE_FORGET = 3,  /* Pagestorm: pagestorm_wire_region; the region is used no more */
  PAGESTORM_WIRE_APPLY = 4,   /* Pagestorm: pagestorm_wire_call */
  PAGESTORM_WIRE_BUILD = 5,   /* Pagestorm: pagestorm_wire_call */
  PAGESTORM_WIRE_DONE = 6,    /* builder, for each call: pagestorm_wire_done */
  PAGESTORM_WIRE_CAPTURE = 7, /* Pagestorm: pagestorm_wire_call; an apply that is captured into a graph, and not run */
  PAGESTORM_WIRE_LAUNCH = 8   /* Pagestorm: pagestorm_wire_call; runs the graph that was captured last */
};

/* C has no other word for it: NOLINTBEGIN(modernize-use-using) */

typedef struct pagestorm_wire_hello {
  uint32_t kind;
  uint32_t abi_version;
  pagestorm_capabilities capabilities;
  uint32_t refused; /* not 0: cannot run here, text says why */
  char text[1020];  /* ends with a 0 */
} pagestorm_wire_hello;

/* Memory that views lie in. `bytes` can be far more than is ever touched. */
typedef struct pagestorm_wire_region {
  uint32_t kind;
  uint32_t region; /* its number from now on; a number that was used before stands for the new memory */
  int64_t bytes;
  int32_t device;
  int32_t device_index;
  uint8_t ipc_handle[64]; /* PAGESTORM_CUDA: a cudaIpcMemHandle_t; the region begins at its base */
} pagestorm_wire_region;

/* A call. In the tensors, `data` is not an address but 1 + the offset in bytes from the start of the region, and 0 where
 * absent: those of `batch` lie in region `inputs`, those of `out` in region `image`. */
typedef struct pagestorm_wire_call {
  uint32_t kind;
  uint32_t serial;
  uint32_t inputs;
  uint32_t image;
  pagestorm_batch batch;
  pagestorm_metadata out;
} pagestorm_wire_call;

typedef struct pagestorm_wire_done {
  uint32_t kind;
  uint32_t serial; /* of the call */
  int32_t result;  /* 0, or what the builder returned */
  uint32_t reserved;
  char text[1008]; /* why it was not 0; ends with a 0 */
} pagestorm_wire_done;

/* NOLINTEND(modernize-use-using) */

#endif
