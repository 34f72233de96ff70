#ifndef WAYMARK_CDEMO_H
#define WAYMARK_CDEMO_H

#include <stddef.h>

/// A file in the program: its first byte, and how many it has.
struct waymark_demo_file {
  const unsigned char *_Nonnull bytes;
  size_t size;
};

/// The track and the config of the story of `waymark demo`.
struct waymark_demo_file waymark_demo_track(void);
struct waymark_demo_file waymark_demo_config(void);

#endif
