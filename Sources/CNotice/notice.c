#include "CNotice.h"

// The files themselves: there is one text of each.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char licenses[] = {
#embed "../../NOTICE"
    , '\n',
#embed "../../LICENSE"
    , 0};

const char *waymark_licenses(void) { return (const char *)licenses; }
