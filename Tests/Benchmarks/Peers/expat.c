// Reads a GPX file with expat and adds up what its points say, as read-bench does.
#include <expat.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "points.h"

static void start(void *data, const char *name, const char **attributes) {
  begin_element(name);
  if (!is_point) return;
  for (; *attributes; attributes += 2) add_attribute(attributes[0], attributes[1]);
}

static void end(void *data, const char *name) { end_element(name); }

static void characters(void *data, const char *text, int length) { add_text(text, length); }

int main(int count, char **arguments) {
  int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
  if (file < 0) return fprintf(stderr, "usage: expat FILE\n"), 64;
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetElementHandler(parser, start, end);
  XML_SetCharacterDataHandler(parser, characters);
  for (ssize_t length = 1; length > 0;) {
    void *buffer = XML_GetBuffer(parser, 1 << 17);
    length = read(file, buffer, 1 << 17);
    if (length < 0 || !XML_ParseBuffer(parser, length, length == 0)) return 65;
  }
  print_sums();
}
