/// The gazetteer that is part of every program: see Docs/Geocoding.md.

#ifndef WAYMARK_GAZETTEER_H
#define WAYMARK_GAZETTEER_H

/// Its first byte.
const void *_Nonnull waymark_gazetteer_bytes(void);

/// How many bytes it has.
unsigned long waymark_gazetteer_size(void);

#endif
