#ifndef WAYMARK_CVERSION_H
#define WAYMARK_CVERSION_H

// The commit that was built, `+changes` behind it when there were others; empty when it is unknown.
// A separate target in C, so a new commit compiles one line and no Swift module.
const char *_Nonnull waymark_commit(void);

#endif
