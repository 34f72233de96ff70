#include "CMosquitto.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Numbers, types and functions of mosquitto.h and mqtt_protocol.h 2.0, which libmosquitto keeps for as
// long as it is libmosquitto.so.1.
enum { option_protocol_version = 1, option_no_delay = 11 };
enum {
  property_content_type = 3,
  property_session_expiry = 17,
  property_user = 38,
  property_longest_packet = 39,
};
enum { retained_for_new_subscriptions = 0x10 };
enum { error_tls = 8, error_errno = 14, error_lookup = 15, error_handshake = 23 };
enum { log_error = 8 };
enum { first_refusal = 128 };
enum { out_of_memory = 1 };

// struct mosquitto_message.
struct library_message {
  int id;
  char *topic;
  void *payload;
  int size;
  int qos;
  bool retain;
};

static struct {
  int (*lib_init)(void);
  void *(*new)(const char *, bool, void *);
  void (*destroy)(void *);
  int (*int_option)(void *, int, int);
  int (*username_pw_set)(void *, const char *, const char *);
  int (*will_set)(void *, const char *, int, const void *, int, bool);
  int (*tls_set)(void *, const char *, const char *, const char *, const char *,
                 int (*)(char *, int, int, void *));
  int (*threaded_set)(void *, bool);
  int (*connect_bind_v5)(void *, const char *, int, int, const char *, const void *);
  int (*disconnect)(void *);
  int (*subscribe_v5)(void *, int *, const char *, int, int, const void *);
  int (*publish_v5)(void *, int *, const char *, int, const void *, int, bool, const void *);
  int (*loop_read)(void *, int);
  int (*loop_write)(void *, int);
  int (*loop_misc)(void *);
  int (*socket)(void *);
  bool (*want_write)(void *);
  const char *(*strerror)(int);
  const char *(*connack_string)(int);
  const char *(*reason_string)(int);
  int (*property_add_int32)(void **, int, uint32_t);
  int (*property_add_string)(void **, int, const char *);
  int (*property_add_string_pair)(void **, int, const char *, const char *);
  void (*property_free_all)(void **);
  void (*connect_v5_callback_set)(void *, void (*)(void *, void *, int, int, const void *));
  void (*disconnect_v5_callback_set)(void *, void (*)(void *, void *, int, const void *));
  void (*publish_v5_callback_set)(void *, void (*)(void *, void *, int, int, const void *));
  void (*subscribe_callback_set)(void *, void (*)(void *, void *, int, int, const int *));
  void (*message_callback_set)(void *, void (*)(void *, void *, const struct library_message *));
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
  FIND(threaded_set);
  FIND(connect_bind_v5);
  FIND(disconnect);
  FIND(subscribe_v5);
  FIND(publish_v5);
  FIND(loop_read);
  FIND(loop_write);
  FIND(loop_misc);
  FIND(socket);
  FIND(want_write);
  FIND(strerror);
  FIND(connack_string);
  FIND(reason_string);
  FIND(property_add_int32);
  FIND(property_add_string);
  FIND(property_add_string_pair);
  FIND(property_free_all);
  FIND(connect_v5_callback_set);
  FIND(disconnect_v5_callback_set);
  FIND(publish_v5_callback_set);
  FIND(subscribe_callback_set);
  FIND(message_callback_set);
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

static void note_subscribed(void *library, void *context, int id, int count, const int *granted) {
  (void)library, (void)id;
  waymark_mosquitto *client = context;
  client->subscribed++;
  for (int index = 0; index < count; index++) {
    if (granted[index] >= first_refusal) client->refusal = granted[index];
    if (granted[index] == 0) client->unacknowledged++;
  }
}

static void note_message(void *library, void *context, const struct library_message *found) {
  (void)library;
  waymark_mosquitto *client = context;
  size_t size = (size_t)found->size;
  waymark_mosquitto_message *message = calloc(1, sizeof *message);
  char *topic = strdup(found->topic);
  unsigned char *payload = malloc(size + 1);
  if (!message || !topic || !payload) {
    free(message), free(topic), free(payload);
    client->is_full = 1;
    return;
  }
  if (size) memcpy(payload, found->payload, size);
  *message = (waymark_mosquitto_message){.topic = topic, .payload = payload, .size = size};
  if (client->last) client->last->next = message;
  if (!client->first) client->first = message;
  client->last = message;
  client->waiting++;
}

static void note_log(void *library, void *context, int level, const char *text) {
  (void)library;
  waymark_mosquitto *client = context;
  if (level == log_error) snprintf(client->log, sizeof client->log, "%s", text);
}

waymark_mosquitto *waymark_mosquitto_open(const char *id, int version, int is_clean) {
  waymark_mosquitto *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->version = version;
  client->connected = -1;
  void *library = client->library = mosquitto.new(id, is_clean != 0, client);
  if (!library || mosquitto.int_option(library, option_protocol_version, version) ||
      mosquitto.int_option(library, option_no_delay, 1)) {
    waymark_mosquitto_close(client);
    return NULL;
  }
  mosquitto.connect_v5_callback_set(library, note_connected);
  mosquitto.disconnect_v5_callback_set(library, note_disconnected);
  mosquitto.publish_v5_callback_set(library, note_published);
  mosquitto.subscribe_callback_set(library, note_subscribed);
  mosquitto.message_callback_set(library, note_message);
  mosquitto.log_callback_set(library, note_log);
  return client;
}

void waymark_mosquitto_close(waymark_mosquitto *client) {
  if (client->library) mosquitto.destroy(client->library);
  for (waymark_mosquitto_message *message; (message = waymark_mosquitto_take(client));) {
    waymark_mosquitto_free(message);
  }
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

int waymark_mosquitto_keep_session(waymark_mosquitto *client, unsigned seconds,
                                   unsigned longest_packet) {
  client->keeps_session = 1;
  client->session_seconds = seconds;
  client->longest_packet = longest_packet;
  // For the library, other threads write: what it sends, also acknowledgements, waits in its queue for
  // mosquitto_loop_write.
  return checked(client, mosquitto.threaded_set(client->library, true));
}

int waymark_mosquitto_connect(waymark_mosquitto *client, const char *host, int port,
                              int keep_alive) {
  void *properties = NULL;
  int error = 0;
  if (client->keeps_session && client->version == waymark_mosquitto_v5) {
    error = mosquitto.property_add_int32(&properties, property_session_expiry,
                                         client->session_seconds);
    if (!error) {
      error = mosquitto.property_add_int32(&properties, property_longest_packet,
                                           client->longest_packet);
    }
  }
  if (!error) {
    error = mosquitto.connect_bind_v5(client->library, host, port, keep_alive, NULL, properties);
  }
  checked(client, error);
  mosquitto.property_free_all(&properties);
  return error;
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

int waymark_mosquitto_read_all(waymark_mosquitto *client, int most, int *has_more) {
  int error = 0;
  *has_more = 1;
  while (!error && client->waiting < most) {
    errno = 0;
    error = waymark_mosquitto_read(client);
    if (!error && errno == EAGAIN) {
      *has_more = 0;
      break;
    }
  }
  return client->is_full ? out_of_memory : error;
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

int waymark_mosquitto_subscribe(waymark_mosquitto *client, const char *topics) {
  int options = client->version == waymark_mosquitto_v5 ? retained_for_new_subscriptions : 0;
  return checked(client,
                 mosquitto.subscribe_v5(client->library, NULL, topics, 1, options, NULL));
}

waymark_mosquitto_message *waymark_mosquitto_take(waymark_mosquitto *client) {
  waymark_mosquitto_message *message = client->first;
  if (!message) return NULL;
  client->first = message->next;
  if (!client->first) client->last = NULL;
  client->waiting--;
  message->next = NULL;
  return message;
}

void waymark_mosquitto_free(waymark_mosquitto_message *message) {
  free(message->topic);
  free(message->payload);
  free(message);
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
