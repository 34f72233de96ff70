#ifndef WAYMARK_CMOSQUITTO_H
#define WAYMARK_CMOSQUITTO_H

#include <stddef.h>

// libmosquitto, loaded on first use: a program that publishes nothing runs without it.
//
// A client belongs to one thread at a time, and starts none. The program ignores SIGPIPE, which a TLS
// library may raise when the broker has gone.

// Loads libmosquitto. Returns NULL on success, else the reason, valid for as long as the process lives.
const char *_Nullable waymark_mosquitto_load(void);

enum {
  // MQTT 3.1.1 and 5, by the numbers of their CONNECT packets.
  waymark_mosquitto_v311 = 4,
  waymark_mosquitto_v5 = 5,
};

// A message that the broker sent for a subscription.
typedef struct waymark_mosquitto_message {
  struct waymark_mosquitto_message *_Nullable next;
  char *_Nonnull topic;
  unsigned char *_Nonnull payload;
  size_t size;
} waymark_mosquitto_message;

// A client, and what its broker has answered so far.
typedef struct {
  // libmosquitto's own.
  void *_Nullable library;
  int version;
  // errno of the last call that failed.
  int error;
  // What waymark_mosquitto_keep_session has set.
  int keeps_session;
  unsigned session_seconds, longest_packet;
  // The reason code of CONNACK; -1 before it comes.
  int connected;
  // The reason code of the broker's DISCONNECT; 0 without one. Only MQTT 5 has it.
  int disconnected;
  // Messages that the broker acknowledged, modulo 2^32.
  unsigned acknowledged;
  // The last reason code of an acknowledgement that refuses a message or a subscription, 128 or more;
  // else 0.
  int refusal;
  // Subscriptions that the broker has answered, modulo 2^32, and those that it granted without
  // acknowledgements (QoS 0).
  unsigned subscribed, unacknowledged;
  // Messages that came, the first one and the last one.
  waymark_mosquitto_message *_Nullable first, *_Nullable last;
  int waiting;
  // Whether one was lost because there was no memory for it.
  int is_full;
  // The last error that libmosquitto logged.
  char log[256];
} waymark_mosquitto;

// Makes a client without a connection; NULL when out of memory. Call it after the library has been loaded.
// If it is clean, the broker forgets what it has kept for a client with this id.
waymark_mosquitto *_Nullable waymark_mosquitto_open(const char *_Nonnull id, int version,
                                                    int is_clean);
// Frees the client. An open connection breaks off, so the broker publishes the last will.
void waymark_mosquitto_close(waymark_mosquitto *_Nonnull client);

// The functions below return 0, or an error for waymark_mosquitto_error_text.

// Before connecting: the user, and the message that the broker publishes when the connection is lost.
int waymark_mosquitto_set_user(waymark_mosquitto *_Nonnull client, const char *_Nonnull user,
                               const char *_Nullable password);
int waymark_mosquitto_set_will(waymark_mosquitto *_Nonnull client, const char *_Nonnull topic,
                               const char *_Nonnull payload);
// Before connecting: TLS with a verified certificate and host name. The authorities are in a file or a
// folder of PEM files. An encrypted key is an error, never a prompt.
int waymark_mosquitto_set_tls(waymark_mosquitto *_Nonnull client,
                              const char *_Nullable authority_file,
                              const char *_Nullable authority_folder,
                              const char *_Nullable certificate_file,
                              const char *_Nullable key_file);

// Before connecting: the broker is to keep the session for so many seconds without a connection, and to
// send no longer packets; only MQTT 5 can say so. No packet leaves before waymark_mosquitto_write then, so
// messages are acknowledged no sooner.
int waymark_mosquitto_keep_session(waymark_mosquitto *_Nonnull client, unsigned seconds,
                                   unsigned longest_packet);

// Resolves the name, connects and sends CONNECT; blocks for as long as the system does.
int waymark_mosquitto_connect(waymark_mosquitto *_Nonnull client, const char *_Nonnull host, int port,
                              int keep_alive);
// The descriptor of the connection, below 0 without one.
int waymark_mosquitto_socket(waymark_mosquitto *_Nonnull client);
// Whether there are bytes to send, which waymark_mosquitto_write does.
int waymark_mosquitto_wants_write(waymark_mosquitto *_Nonnull client);
int waymark_mosquitto_read(waymark_mosquitto *_Nonnull client);
// Reads all that has arrived, also what TLS has taken from the socket before, up to so many messages;
// whether there may be more is in `has_more`.
int waymark_mosquitto_read_all(waymark_mosquitto *_Nonnull client, int most,
                               int *_Nonnull has_more);
int waymark_mosquitto_write(waymark_mosquitto *_Nonnull client);
// Pings an idle broker, and notices one that does not answer. Call it every few seconds.
int waymark_mosquitto_keep_alive(waymark_mosquitto *_Nonnull client);

// Publishes with QoS 1. MQTT 5 also carries the type of the content and a user property `id`.
int waymark_mosquitto_publish(waymark_mosquitto *_Nonnull client, const char *_Nonnull topic,
                              const char *_Nonnull payload, size_t size, int retain,
                              const char *_Nullable content_type, const char *_Nullable id);
// Subscribes with QoS 1. MQTT 5 brings retained messages for a subscription that is new only.
int waymark_mosquitto_subscribe(waymark_mosquitto *_Nonnull client, const char *_Nonnull topics);
// Removes and returns the first message that came, to be freed; NULL for none.
waymark_mosquitto_message *_Nullable waymark_mosquitto_take(waymark_mosquitto *_Nonnull client);
void waymark_mosquitto_free(waymark_mosquitto_message *_Nonnull message);
// Sends DISCONNECT; the broker then drops the last will.
int waymark_mosquitto_disconnect(waymark_mosquitto *_Nonnull client);

// An error in words, valid until the next call with this client.
const char *_Nonnull waymark_mosquitto_error_text(waymark_mosquitto *_Nonnull client, int error);
// A reason code of the broker in words.
const char *_Nonnull waymark_mosquitto_reason_text(waymark_mosquitto *_Nonnull client, int reason);

#endif
