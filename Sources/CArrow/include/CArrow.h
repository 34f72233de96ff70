// What nanoarrow does not check in the header of a message before it uses it.
#ifndef WAYMARK_CARROW_H
#define WAYMARK_CARROW_H

#include <stdint.h>

// Why a header that was verified (ArrowIpcDecoderVerifyHeader) cannot be used; NULL when it can. A schema lacks
// a part that nanoarrow takes to be there, or a record batch or a dictionary does not fit a body of `bodySize`
// bytes. A dictionary has one column of text and is not compressed.
const char *CArrowMisfit(const uint8_t *header, int64_t bodySize);

#endif
