#ifndef WAYMARK_CCRYPTO_H
#define WAYMARK_CCRYPTO_H

#include <stddef.h>

// libcrypto of OpenSSL 3, loaded on first use: a program that signs nothing runs without it.

// Loads libcrypto. Returns NULL on success, else the reason, valid for as long as the process lives.
const char *_Nullable waymark_crypto_load(void);

enum { waymark_hmac_size = 32 };

// Writes the HMAC-SHA256 (RFC 2104) of a message to `code`, which has 32 bytes. Call it after the
// library has been loaded. Returns 0 when out of memory.
int waymark_hmac_sha256(const void *_Nonnull key, int key_count, const void *_Nonnull message,
                        size_t count, unsigned char *_Nonnull code);

#endif
