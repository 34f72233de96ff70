#ifndef WAYMARK_CCURL_H
#define WAYMARK_CCURL_H

#include <stddef.h>

// libcurl, loaded when it is first asked for: a program that asks no server does without it and the
// forty libraries that it needs itself.

// Loads it; NULL when it is there, else why it is not, for as long as the process lives.
const char *_Nullable waymark_curl_load(void);

// A connection that can be used again, by one thread at a time; NULL without memory. To be asked for
// once the library is loaded.
void *_Nullable waymark_curl_open(void);
void waymark_curl_close(void *_Nonnull handle);

// Who takes an answer while it comes. Each function gives 0 to go on; anything else ends the request.
typedef struct {
  void *_Nonnull context;
  // A line of the head, with its end: the status first, an empty one last.
  int (*_Nonnull line)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  int (*_Nonnull body)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  // Asked at least every second.
  int (*_Nonnull progress)(void *_Nonnull context);
} waymark_curl_taker;

// Makes one GET request and follows no redirect. `proxy` is its proxy, empty for none; the variables of
// the environment do not count. `headers` are lines without an end, the last one NULL. The request
// fails after `silence` seconds without a byte, or twice as many in all.
//
// NULL when there is a response, else the reason for the failure.
const char *_Nullable waymark_curl_get(void *_Nonnull handle, const char *_Nonnull url,
                                       const char *_Nonnull proxy,
                                       const char *_Nullable const *_Nonnull headers,
                                       long silence, waymark_curl_taker taker);

#endif
