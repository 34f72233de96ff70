#ifndef WAYMARK_CCURL_H
#define WAYMARK_CCURL_H

#include <stddef.h>

// libcurl, loaded on first use: a program that makes no request runs without it and the forty
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

typedef enum {
  waymark_curl_get,
  waymark_curl_post,
  // Only connects, with TLS if the address says so, and sends no request.
  waymark_curl_connect,
} waymark_curl_method;

typedef struct {
  waymark_curl_method method;
  const char *_Nonnull url;
  // Empty for no proxy; proxy variables of the environment are ignored.
  const char *_Nonnull proxy;
  // Lines without an end, the last one NULL.
  const char *_Nullable const *_Nonnull headers;
  // Of a POST.
  const void *_Nullable body;
  size_t body_count;
  // A PEM file with the only authorities that are trusted; empty for those of the system.
  const char *_Nonnull authority_file;
  // The request fails after so many seconds without a byte, or twice as many in all.
  long silence;
  // Whether addresses of the link (169.254/16, fe80::/10) are refused. What counts is the address of
  // the connection, whatever its name is.
  int refuses_link_local;
} waymark_curl_request;

// Makes a request and follows no redirect. NULL when there is a response, else the reason for the
// failure, valid until the thread makes the next request.
const char *_Nullable waymark_curl_perform(void *_Nonnull handle, waymark_curl_request request,
                                           waymark_curl_receiver receiver);

#endif
