/// The files of the pages of `waymark report` and of `watch --web`: see Sources/Reporting/Page.

#ifndef WAYMARK_PAGE_H
#define WAYMARK_PAGE_H

#include <stddef.h>

/// A file in the program: its first byte, and how many it has.
struct waymark_file {
  const unsigned char *_Nonnull bytes;
  size_t size;
};

/// What both pages share: the style, Leaflet, our scripts, and coasts and borders.
struct waymark_file waymark_page_style(void);
struct waymark_file waymark_page_leaflet(void);
struct waymark_file waymark_page_script(void);
struct waymark_file waymark_page_base_map(void);
/// What a report has beside them.
struct waymark_file waymark_report_script(void);
struct waymark_file waymark_report_body(void);
/// What the live page has beside them.
struct waymark_file waymark_live_script(void);
struct waymark_file waymark_live_page(void);

#endif
