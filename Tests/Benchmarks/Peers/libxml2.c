// Reads a GPX file with libxml2's SAX2 interface and adds up what its points say, as read-bench
// does.
#include <fcntl.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "points.h"

static void start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                  int namespaces, const xmlChar **pairs, int attributes, int defaulted,
                  const xmlChar **values) {
  begin_element((const char *)name);
  if (!is_point) return;
  for (int i = 0; i < attributes; i++, values += 5) {
    char value[64];
    size_t length = values[4] - values[3];
    if (length >= sizeof value) length = sizeof value - 1;
    memcpy(value, values[3], length);
    value[length] = 0;
    add_attribute((const char *)values[0], value);
  }
}

static void end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  end_element((const char *)name);
}

static void characters(void *data, const xmlChar *text, int length) {
  add_text((const char *)text, length);
}

int main(int count, char **arguments) {
  int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
  if (file < 0) return fprintf(stderr, "usage: libxml2 FILE\n"), 64;
  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = start,
                           .endElementNs = end, .characters = characters,
                           .ignorableWhitespace = characters};
  static char buffer[1 << 17];
  xmlParserCtxtPtr parser = NULL;
  for (ssize_t length = 1; length > 0;) {
    length = read(file, buffer, sizeof buffer);
    if (length < 0) return 74;
    if (!parser) parser = xmlCreatePushParserCtxt(&handler, NULL, buffer, length, NULL);
    else if (xmlParseChunk(parser, buffer, length, length == 0)) return 65;
  }
  print_sums();
}
