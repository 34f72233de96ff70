#include "CArrow.h"

#include <stddef.h>

#include "nanoarrow/ipc/flatcc_generated.h"

#define ns(x) FLATBUFFERS_WRAP_NAMESPACE(org_apache_arrow_flatbuf, x)

// The bytes before the message: the continuation and the size.
enum { Prefix = 8, BuffersOfText = 3 };

static const char *misfit(ns(RecordBatch_table_t) batch, int64_t bodySize) {
  if (ns(RecordBatch_length(batch)) < 0) return "the number of rows is negative";
  ns(FieldNode_vec_t) nodes = ns(RecordBatch_nodes(batch));
  for (size_t index = 0; index < ns(FieldNode_vec_len(nodes)); index++) {
    ns(FieldNode_struct_t) node = ns(FieldNode_vec_at(nodes, index));
    if (ns(FieldNode_length(node)) < 0) return "the length of a column is negative";
  }
  ns(Buffer_vec_t) buffers = ns(RecordBatch_buffers(batch));
  for (size_t index = 0; index < ns(Buffer_vec_len(buffers)); index++) {
    ns(Buffer_struct_t) buffer = ns(Buffer_vec_at(buffers, index));
    int64_t offset = ns(Buffer_offset(buffer)), length = ns(Buffer_length(buffer));
    if (offset < 0 || length < 0 || offset > bodySize || length > bodySize - offset)
      return "the values of a column lie outside of it";
  }
  return NULL;
}

const char *CArrowMisfit(const uint8_t *header, int64_t bodySize) {
  ns(Message_table_t) message = ns(Message_as_root(header + Prefix));
  flatbuffers_generic_t content = ns(Message_header_get(message));
  if (content == NULL) return "the message is empty";
  switch (ns(Message_header_type(message))) {
    case ns(MessageHeader_RecordBatch): return misfit(content, bodySize);
    case ns(MessageHeader_DictionaryBatch): break;
    default: return NULL;
  }
  ns(RecordBatch_table_t) values = ns(DictionaryBatch_data(content));
  if (values == NULL) return "a dictionary has no values";
  if (ns(RecordBatch_compression_is_present(values)))
    return "a dictionary is compressed, expected an uncompressed stream";
  if (ns(FieldNode_vec_len(ns(RecordBatch_nodes(values)))) != 1 ||
      ns(Buffer_vec_len(ns(RecordBatch_buffers(values)))) != BuffersOfText)
    return "a dictionary has not one column of text";
  return misfit(values, bodySize);
}
