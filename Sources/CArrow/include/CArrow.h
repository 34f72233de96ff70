// What nanoarrow does not check in the header of a message before it reads the body.
#ifndef WAYMARK_CARROW_H
#define WAYMARK_CARROW_H

#include <stdint.h>

// Why the header of a record batch or of a dictionary does not fit a body of `bodySize` bytes; NULL when it
// does, and for other messages. The header was verified: ArrowIpcDecoderVerifyHeader. A dictionary has one
// column of text and is not compressed.
const char *CArrowMisfit(const uint8_t *header, int64_t bodySize);

#endif
