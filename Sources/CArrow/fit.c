#include "CArrow.h"

#include <stddef.h>

#include "nanoarrow/ipc/flatcc_generated.h"

#define ns(x) FLATBUFFERS_WRAP_NAMESPACE(org_apache_arrow_flatbuf, x)

// The bytes before the message: the continuation and the size.
enum { Prefix = 8, BuffersOfText = 3 };

static const char *misfitOfBatch(ns(RecordBatch_table_t) batch, int64_t bodySize) {
  // A row takes a bit at least; nanoarrow multiplies what a batch claims with the bytes of a value.
  const int64_t rows = ns(RecordBatch_length(batch));
  if (rows < 0 || rows / 8 > bodySize) return "the number of rows does not fit its values";
  ns(FieldNode_vec_t) nodes = ns(RecordBatch_nodes(batch));
  for (size_t index = 0; index < ns(FieldNode_vec_len(nodes)); index++) {
    ns(FieldNode_struct_t) node = ns(FieldNode_vec_at(nodes, index));
    const int64_t length = ns(FieldNode_length(node));
    if (length < 0 || length / 8 > bodySize) return "the length of a column does not fit its values";
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

static const char *misfitOfMetadata(ns(KeyValue_vec_t) pairs) {
  for (size_t index = 0; index < ns(KeyValue_vec_len(pairs)); index++) {
    ns(KeyValue_table_t) pair = ns(KeyValue_vec_at(pairs, index));
    if (ns(KeyValue_key(pair)) == NULL || ns(KeyValue_value(pair)) == NULL)
      return "a key or a value of the metadata is missing";
  }
  return NULL;
}

// The depth is bounded by that of the verifier.
static const char *misfitOfFields(ns(Field_vec_t) fields) {
  const char *found = NULL;
  for (size_t index = 0; found == NULL && index < ns(Field_vec_len(fields)); index++) {
    ns(Field_table_t) field = ns(Field_vec_at(fields, index));
    if (ns(Field_type_get(field)) == NULL) return "the type of a column is missing";
    ns(DictionaryEncoding_table_t) encoding = ns(Field_dictionary(field));
    if (encoding != NULL && ns(DictionaryEncoding_indexType(encoding)) == NULL)
      return "the type of the numbers of a dictionary is missing";
    found = misfitOfMetadata(ns(Field_custom_metadata(field)));
    if (found == NULL) found = misfitOfFields(ns(Field_children(field)));
  }
  return found;
}

static const char *misfitOfSchema(ns(Schema_table_t) schema) {
  const char *found = misfitOfMetadata(ns(Schema_custom_metadata(schema)));
  return found != NULL ? found : misfitOfFields(ns(Schema_fields(schema)));
}

static const char *misfitOfDictionary(ns(DictionaryBatch_table_t) dictionary, int64_t bodySize) {
  ns(RecordBatch_table_t) values = ns(DictionaryBatch_data(dictionary));
  if (values == NULL) return "a dictionary has no values";
  if (ns(RecordBatch_compression_is_present(values)))
    return "a dictionary is compressed, expected an uncompressed stream";
  if (ns(FieldNode_vec_len(ns(RecordBatch_nodes(values)))) != 1 ||
      ns(Buffer_vec_len(ns(RecordBatch_buffers(values)))) != BuffersOfText)
    return "a dictionary has not one column of text";
  return misfitOfBatch(values, bodySize);
}

const char *CArrowMisfit(const uint8_t *header, int64_t bodySize) {
  ns(Message_table_t) message = ns(Message_as_root(header + Prefix));
  flatbuffers_generic_t content = ns(Message_header_get(message));
  if (content == NULL) return "the message is empty";
  switch (ns(Message_header_type(message))) {
    case ns(MessageHeader_Schema): return misfitOfSchema(content);
    case ns(MessageHeader_DictionaryBatch): return misfitOfDictionary(content, bodySize);
    case ns(MessageHeader_RecordBatch): return misfitOfBatch(content, bodySize);
    default: return NULL;
  }
}
