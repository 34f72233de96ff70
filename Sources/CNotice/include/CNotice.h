#ifndef WAYMARK_CNOTICE_H
#define WAYMARK_CNOTICE_H

// The files NOTICE and LICENSE, one after the other, in UTF-8 with a zero at the end.
const char *_Nonnull waymark_licenses(void);

#endif
