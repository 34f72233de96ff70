#ifndef WAYMARK_CVERSION_H
#define WAYMARK_CVERSION_H

// The commit that was built, `+changes` behind it when there were others; empty when it is unknown.
// A target of its own in C, so that another commit compiles one line anew and no module.
const char *_Nonnull waymark_commit(void);

#endif
