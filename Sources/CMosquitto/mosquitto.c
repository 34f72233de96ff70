#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Numbers, types and functions of mosquitto.h and mqtt_protocol.h 2.0, which libmosquitto keeps for as
// long as it is libmosquitto.so.1.
enum { option_protocol_version = 1, option_no_delay = 11 };
enum { property_content_type = 3, property_user = 38 };
enum { error_tls = 8, error_errno = 14, error_lookup = 15, error_handshake = 23 };
enum { log_error = 8 };
enum { first_refusal = 128 };

static struct {
  int (*lib_init)(void);
  void *(*new)(const char *, bool, void *);
  void (*destroy)(void *);
  int (*int_option)(void *, int, int);
  int (*username_pw_set)(void *, const char *, const char *);
  int (*will_set)(void *, const char *, int, const void *, int, bool);
  int (*tls_set)(void *, const char *, const char *, const char *, const char *,
                 int (*)(char *, int, int, void *));
  int (*connect)(void *, const char *, int, int);
  int (*disconnect)(void *);
  int (*publish_v5)(void *, int *, const char *, int, const void *, int, bool, const void *);
  int (*loop_read)(void *, int);
  int (*loop_write)(void *, int);
  int (*loop_misc)(void *);
  int (*socket)(void *);
  bool (*want_write)(void *);
  const char *(*strerror)(int);
  const char *(*connack_string)(int);
  const char *(*reason_string)(int);
  int (*property_add_string)(void **, int, const char *);
  int (*property_add_string_pair)(void **, int, const char *, const char *);
  void (*property_free_all)(void **);
  void (*connect_v5_callback_set)(void *, void (*)(void *, void *, int, int, const void *));
  void (*disconnect_v5_callback_set)(void *, void (*)(void *, void *, int, const void *));
  void (*publish_v5_callback_set)(void *, void (*)(void *, void *, int, int, const void *));
  void (*log_callback_set)(void *, void (*)(void *, void *, int, const char *));
} mosquitto;

static const char *failure;

static void load(void) {
  void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure = "libmosquitto.so.1 is not installed (Debian package libmosquitto1)";
    return;
  }
#define FIND(name)                                                   \
  if (!(*(void **)&mosquitto.name = dlsym(library, "mosquitto_" #name))) \
  failure = "libmosquitto lacks mosquitto_" #name
  FIND(lib_init);
  FIND(new);
  FIND(destroy);
  FIND(int_option);
  FIND(username_pw_set);
  FIND(will_set);
  FIND(tls_set);
  FIND(connect);
  FIND(disconnect);
  FIND(publish_v5);
  FIND(loop_read);
  FIND(loop_write);
  FIND(loop_misc);
  FIND(socket);
  FIND(want_write);
  FIND(strerror);
  FIND(connack_string);
  FIND(reason_string);
  FIND(property_add_string);
  FIND(property_add_string_pair);
  FIND(property_free_all);
  FIND(connect_v5_callback_set);
  FIND(disconnect_v5_callback_set);
  FIND(publish_v5_callback_set);
  FIND(log_callback_set);
  if (!failure && mosquitto.lib_init() != 0) failure = "libmosquitto failed to initialise";
}

const char *waymark_mosquitto_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure;
}

static void note_connected(void *library, void *context, int reason, int flags, const void *more) {
  (void)library, (void)flags, (void)more;
  ((waymark_mosquitto *)context)->connected = reason;
}

// Also called for a lost connection, with an error below 128.
static void note_disconnected(void *library, void *context, int reason, const void *more) {
  (void)library, (void)more;
  if (reason >= first_refusal) ((waymark_mosquitto *)context)->disconnected = reason;
}

static void note_published(void *library, void *context, int id, int reason, const void *more) {
  (void)library, (void)id, (void)more;
  waymark_mosquitto *client = context;
  client->acknowledged++;
  if (reason >= first_refusal) client->refusal = reason;
}

static void note_log(void *library, void *context, int level, const char *text) {
  (void)library;
  waymark_mosquitto *client = context;
  if (level == log_error) snprintf(client->log, sizeof client->log, "%s", text);
}

waymark_mosquitto *waymark_mosquitto_open(const char *id, int version) {
  waymark_mosquitto *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->version = version;
  client->connected = -1;
  void *library = client->library = mosquitto.new(id, true, client);
  if (!library || mosquitto.int_option(library, option_protocol_version, version) ||
      mosquitto.int_option(library, option_no_delay, 1)) {
    waymark_mosquitto_close(client);
    return NULL;
  }
  mosquitto.connect_v5_callback_set(library, note_connected);
  mosquitto.disconnect_v5_callback_set(library, note_disconnected);
  mosquitto.publish_v5_callback_set(library, note_published);
  mosquitto.log_callback_set(library, note_log);
  return client;
}

void waymark_mosquitto_close(waymark_mosquitto *client) {
  if (client->library) mosquitto.destroy(client->library);
  free(client);
}

// Keeps errno, which other calls change.
static int checked(waymark_mosquitto *client, int error) {
  if (error) client->error = errno;
  return error;
}

int waymark_mosquitto_set_user(waymark_mosquitto *client, const char *user, const char *password) {
  return checked(client, mosquitto.username_pw_set(client->library, user, password));
}

int waymark_mosquitto_set_will(waymark_mosquitto *client, const char *topic, const char *payload) {
  int size = (int)strlen(payload);
  return checked(client, mosquitto.will_set(client->library, topic, size, payload, 1, true));
}

// OpenSSL would ask at the terminal without it.
static int no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return 0;
}

int waymark_mosquitto_set_tls(waymark_mosquitto *client, const char *authority_file,
                              const char *authority_folder, const char *certificate_file,
                              const char *key_file) {
  return checked(client, mosquitto.tls_set(client->library, authority_file, authority_folder,
                                           certificate_file, key_file, no_passphrase));
}

int waymark_mosquitto_connect(waymark_mosquitto *client, const char *host, int port,
                              int keep_alive) {
  return checked(client, mosquitto.connect(client->library, host, port, keep_alive));
}

int waymark_mosquitto_socket(waymark_mosquitto *client) {
  return mosquitto.socket(client->library);
}

int waymark_mosquitto_wants_write(waymark_mosquitto *client) {
  return mosquitto.want_write(client->library);
}

int waymark_mosquitto_read(waymark_mosquitto *client) {
  // A broker with Nagle's algorithm, which is mosquitto's default, keeps its second acknowledgement
  // until TCP has acknowledged the first, and Linux would delay that by 40 ms. The system forgets the
  // option after a while.
  int yes = 1;
  setsockopt(mosquitto.socket(client->library), IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
  return checked(client, mosquitto.loop_read(client->library, 1));
}

int waymark_mosquitto_write(waymark_mosquitto *client) {
  return checked(client, mosquitto.loop_write(client->library, 1));
}

int waymark_mosquitto_keep_alive(waymark_mosquitto *client) {
  return checked(client, mosquitto.loop_misc(client->library));
}

int waymark_mosquitto_publish(waymark_mosquitto *client, const char *topic, const char *payload,
                              size_t size, int retain, const char *content_type, const char *id) {
  void *properties = NULL;
  int error = 0;
  if (client->version == waymark_mosquitto_v5) {
    if (content_type) {
      error = mosquitto.property_add_string(&properties, property_content_type, content_type);
    }
    if (!error && id) {
      error = mosquitto.property_add_string_pair(&properties, property_user, "id", id);
    }
  }
  if (!error) {
    error = mosquitto.publish_v5(client->library, NULL, topic, (int)size, payload, 1, retain,
                                 properties);
  }
  checked(client, error);
  mosquitto.property_free_all(&properties);
  return error;
}

int waymark_mosquitto_disconnect(waymark_mosquitto *client) {
  return checked(client, mosquitto.disconnect(client->library));
}

const char *waymark_mosquitto_error_text(waymark_mosquitto *client, int error) {
  switch (error) {
    case error_tls:
    case error_handshake:
      if (client->log[0]) return client->log;
      break;
    case error_errno:
      // What libmosquitto makes of an error of TLS while it reads.
      if (client->error == EPROTO && client->log[0]) return client->log;
      return strerror(client->error);
    case error_lookup:
      return gai_strerror(client->error);
  }
  return mosquitto.strerror(error);
}

const char *waymark_mosquitto_reason_text(waymark_mosquitto *client, int reason) {
  return client->version == waymark_mosquitto_v5 || reason >= first_refusal
             ? mosquitto.reason_string(reason)
             : mosquitto.connack_string(reason);
}
