// Redis GEO: GEOSEARCH within the largest radius with distances, a thousand commands at once. The
// caller sorts out those that are too far. What counts is the server's processor time.
//
//   redis FENCES FIXES MOST SOCKET
#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstring>

#include "matching.h"

static redisContext *server;

static redisReply *reply() {
  void *answer;
  if (redisGetReply(server, &answer) != REDIS_OK) {
    fprintf(stderr, "redis: %s\n", server->errstr);
    exit(69);
  }
  redisReply *read = (redisReply *)answer;
  if (read->type == REDIS_REPLY_ERROR) fprintf(stderr, "redis: %s\n", read->str), exit(70);
  return read;
}

// User and system time that the server has used, seconds.
static double server_seconds() {
  redisAppendCommand(server, "INFO cpu");
  redisReply *answer = reply();
  double seconds = 0;
  for (const char *name : {"used_cpu_user:", "used_cpu_sys:"})
    if (const char *at = strstr(answer->str, name)) seconds += atof(at + strlen(name));
  freeReplyObject(answer);
  return seconds;
}

constexpr size_t BATCH = 1000;

int main(int count, char **arguments) {
  if (count != 5) return fprintf(stderr, "usage: redis FENCES FIXES MOST SOCKET\n"), 64;
  auto fences = read_records<Fence>(arguments[1]);
  auto places = read_records<Place>(arguments[2], atoll(arguments[3]));
  server = redisConnectUnix(arguments[4]);
  if (!server || server->err) return fprintf(stderr, "redis: cannot connect\n"), 69;
  Figures figures;
  double begin = server_seconds();
  for (size_t from = 0; from < fences.size(); from += BATCH) {
    size_t to = std::min(from + BATCH, fences.size());
    for (size_t i = from; i < to; i++)
      redisAppendCommand(server, "GEOADD fences %.9f %.9f %lu", fences[i].longitude,
                         fences[i].latitude, i);
    for (size_t i = from; i < to; i++) freeReplyObject(reply());
  }
  double built = server_seconds();
  for (size_t from = 0; from < places.size(); from += BATCH) {
    size_t to = std::min(from + BATCH, places.size());
    for (size_t i = from; i < to; i++)
      redisAppendCommand(server, "GEOSEARCH fences FROMLONLAT %.9f %.9f BYRADIUS 500 m WITHDIST",
                         places[i].longitude, places[i].latitude);
    for (size_t i = from; i < to; i++) {
      redisReply *answer = reply();
      for (size_t k = 0; k < answer->elements; k++) {
        redisReply **pair = answer->element[k]->element;
        figures.hits += atof(pair[1]->str) <= fences[atoll(pair[0]->str)].radius;
      }
      freeReplyObject(answer);
    }
  }
  figures.match = server_seconds() - built;
  figures.build = built - begin;
  figures.fixes = places.size();
  figures.print();
}
