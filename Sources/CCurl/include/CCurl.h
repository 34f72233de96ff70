#ifndef WAYMARK_CCURL_H
#define WAYMARK_CCURL_H

#include <stddef.h>

// libcurl, loaded on first use: a program that queries no server runs without it and the forty
// libraries that it needs.

// Loads libcurl. Returns NULL on success, else the reason, valid for as long as the process lives.
const char *_Nullable waymark_curl_load(void);

// Opens a reusable connection for one thread at a time; NULL when out of memory. Call it after the
// library has been loaded.
void *_Nullable waymark_curl_open(void);
void waymark_curl_close(void *_Nonnull handle);

// Receives a response as it arrives. Each function returns 0 to continue; anything else ends the
// request.
typedef struct {
  void *_Nonnull context;
  // A line of the head with its end; the status comes first, an empty line last.
  int (*_Nonnull line)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  int (*_Nonnull body)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  // Called at least every second.
  int (*_Nonnull progress)(void *_Nonnull context);
} waymark_curl_receiver;

// Makes one GET request and follows no redirect. `proxy` is its proxy, empty for no proxy; proxy
// variables of the environment are ignored. `headers` are lines without an end, the last one NULL. The
// request fails after `silence` seconds without a byte, or twice as many in all.
//
// NULL when there is a response, else the reason for the failure.
const char *_Nullable waymark_curl_get(void *_Nonnull handle, const char *_Nonnull url,
                                       const char *_Nonnull proxy,
                                       const char *_Nullable const *_Nonnull headers,
                                       long silence, waymark_curl_receiver receiver);

#endif
