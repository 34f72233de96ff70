#include "gazetteer.h"

// A part of the program's read-only memory: the system reads of it what is used.
#pragma clang diagnostic ignored "-Wc23-extensions"
_Alignas(16) static const unsigned char gazetteer[] = {
#embed "gazetteer.wmg"
};

const void *waymark_gazetteer_bytes(void) { return gazetteer; }

unsigned long waymark_gazetteer_size(void) { return sizeof gazetteer; }
