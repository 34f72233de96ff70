#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// Numbers and functions of curl/curl.h. None has changed since version 7.32 of 2013: a release that
// changed one would be libcurl.so.5 (https://curl.se/libcurl/abi.html).
enum { global_default = 3, protocol_http = 1, protocol_https = 2 };
enum {
  option_write_data = 10001,
  option_url = 10002,
  option_proxy = 10004,
  option_timeout = 13,
  option_error_buffer = 10010,
  option_post_fields = 10015,
  option_low_speed_limit = 19,
  option_low_speed_time = 20,
  option_http_headers = 10023,
  option_header_data = 10029,
  option_no_progress = 43,
  option_post = 47,
  option_progress_data = 10057,
  option_authority_file = 10065,
  option_connect_timeout = 78,
  option_authority_folder = 10097,
  option_no_signal = 99,
  option_post_field_size = 30120,
  option_connect_only = 141,
  option_open_socket_data = 10164,
  option_no_proxy = 10177,
  option_protocols = 181,
  option_write_function = 20011,
  option_header_function = 20079,
  option_open_socket_function = 20163,
  option_progress_function = 20219,
};
enum { error_no_connection = 7, error_tls = 35, error_peer_verification = 60 };

// Why a handshake of TLS failed; of CURL_ERROR_SIZE bytes.
static _Thread_local char detail[256];

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  void (*easy_reset)(void *);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_perform)(void *);
  void (*easy_cleanup)(void *);
  const char *(*easy_strerror)(int);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
} curl;

static const char *failure;

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure = "libcurl.so.4 is not installed (Debian package libcurl4)";
    return;
  }
#define FIND(name) \
  if (!(*(void **)&curl.name = dlsym(library, "curl_" #name))) failure = "libcurl lacks curl_" #name
  FIND(global_init);
  FIND(easy_init);
  FIND(easy_reset);
  FIND(easy_setopt);
  FIND(easy_perform);
  FIND(easy_cleanup);
  FIND(easy_strerror);
  FIND(slist_append);
  FIND(slist_free_all);
  if (!failure && curl.global_init(global_default) != 0) failure = "libcurl failed to initialise";
}

const char *waymark_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure;
}

void *waymark_curl_open(void) { return curl.easy_init(); }
void waymark_curl_close(void *handle) { curl.easy_cleanup(handle); }

static size_t receive_line(const char *bytes, size_t size, size_t count, void *context) {
  waymark_curl_receiver *receiver = context;
  return receiver->line(receiver->context, bytes, size * count) == 0 ? size * count : 0;
}

static size_t receive_body(const char *bytes, size_t size, size_t count, void *context) {
  waymark_curl_receiver *receiver = context;
  return receiver->body(receiver->context, bytes, size * count) == 0 ? size * count : 0;
}

static int receive_progress(void *context, long long a, long long b, long long c, long long d) {
  (void)a, (void)b, (void)c, (void)d;
  waymark_curl_receiver *receiver = context;
  return receiver->progress(receiver->context);
}

// Performs the request without SIGPIPE, which a TLS library may raise when the server has gone.
static int perform(void *handle) {
  sigset_t pipe, old;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &old);
  int code = curl.easy_perform(handle);
  struct timespec none = {0, 0};
  if (!sigismember(&old, SIGPIPE)) {
    while (sigtimedwait(&pipe, NULL, &none) > 0) continue;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return code;
}

// `struct curl_sockaddr`: an address that is to be connected to.
struct socket_address {
  int family, type, protocol;
  unsigned int count;
  struct sockaddr first;
};

// RFC 3927 and RFC 4291, section 2.5.6. An IPv4 address may be written as one of IPv6.
static int is_link_local(const struct socket_address *address) {
  static const unsigned char mapped[12] = {[10] = 0xFF, [11] = 0xFF};
  unsigned char bytes[16];
  if (address->family == AF_INET) {
    memcpy(bytes, mapped, sizeof mapped);
    memcpy(bytes + 12, &((const struct sockaddr_in *)&address->first)->sin_addr, 4);
  } else if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->first)->sin6_addr, 16);
  } else {
    return 0;
  }
  if (memcmp(bytes, mapped, sizeof mapped) == 0) return bytes[12] == 169 && bytes[13] == 254;
  return bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
}

// Opens the socket of a connection, or returns -1 and sets the flag `refused`.
static int open_socket(void *refused, int purpose, struct socket_address *address) {
  (void)purpose;
  if (is_link_local(address)) {
    *(int *)refused = 1;
    return -1;
  }
  return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
}

const char *waymark_curl_perform(void *handle, waymark_curl_request request,
                                 waymark_curl_receiver receiver) {
  void *lines = NULL;
  for (const char *const *line = request.headers; *line; line++) {
    void *longer = curl.slist_append(lines, *line);
    if (!longer) {
      curl.slist_free_all(lines);
      return "out of memory";
    }
    lines = longer;
  }
  // This forgets the options of the previous request, but not its connection.
  curl.easy_reset(handle);
  int code = 0, refused = 0;
  *detail = 0;
#define SET(option, value) \
  if (code == 0) code = curl.easy_setopt(handle, option, value)
  SET(option_url, request.url);
  // Both set, so libcurl reads neither from the environment.
  SET(option_proxy, request.proxy);
  SET(option_no_proxy, "");
  SET(option_protocols, (long)(protocol_http | protocol_https));
  SET(option_http_headers, lines);
  if (request.method == waymark_curl_post) {
    SET(option_post, 1L);
    SET(option_post_fields, request.body ? request.body : "");
    SET(option_post_field_size, (long long)request.body_count);
  }
  if (request.method == waymark_curl_connect) SET(option_connect_only, 1L);
  if (*request.authority_file) {
    SET(option_authority_file, request.authority_file);
    // Else those of the system are trusted too.
    SET(option_authority_folder, NULL);
  }
  if (request.refuses_link_local) {
    SET(option_open_socket_function, open_socket);
    SET(option_open_socket_data, &refused);
  }
  SET(option_error_buffer, detail);
  SET(option_no_signal, 1L);
  SET(option_connect_timeout, request.silence);
  SET(option_low_speed_limit, 1L);
  SET(option_low_speed_time, request.silence);
  SET(option_timeout, 2 * request.silence);
  SET(option_header_function, receive_line);
  SET(option_header_data, &receiver);
  SET(option_write_function, receive_body);
  SET(option_write_data, &receiver);
  SET(option_no_progress, 0L);
  SET(option_progress_function, receive_progress);
  SET(option_progress_data, &receiver);
  if (code == 0) code = perform(handle);
  // The handle may outlive the thread.
  curl.easy_setopt(handle, option_error_buffer, NULL);
  curl.slist_free_all(lines);
  if (code == error_no_connection && refused) return "its address is link-local, which is refused";
  if ((code == error_tls || code == error_peer_verification) && *detail) return detail;
  return code == 0 ? NULL : curl.easy_strerror(code);
}
