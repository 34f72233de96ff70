#include "CCrypto.h"

#include <dlfcn.h>
#include <pthread.h>

// Functions of openssl/evp.h and openssl/hmac.h. A release that changed one would be libcrypto.so.4.
static struct {
  const void *(*EVP_sha256)(void);
  unsigned char *(*HMAC)(const void *, const void *, int, const unsigned char *, size_t,
                         unsigned char *, unsigned int *);
} crypto;

static const char *failure;

static void load(void) {
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure = "libcrypto.so.3 is not installed (Debian package libssl3)";
    return;
  }
#define FIND(name) \
  if (!(*(void **)&crypto.name = dlsym(library, #name))) failure = "libcrypto lacks " #name
  FIND(EVP_sha256);
  FIND(HMAC);
}

const char *waymark_crypto_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure;
}

int waymark_hmac_sha256(const void *key, int key_count, const void *message, size_t count,
                        unsigned char *code) {
  return crypto.HMAC(crypto.EVP_sha256(), key, key_count, message, count, code, NULL) != NULL;
}
