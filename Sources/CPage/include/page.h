/// The files that are part of every page of `waymark report`: see Sources/Reporting/Page.

#ifndef WAYMARK_PAGE_H
#define WAYMARK_PAGE_H

/// Each gives the first byte of a file, and sets how many it has.
const unsigned char *_Nonnull waymark_page_style(unsigned long *_Nonnull size);
const unsigned char *_Nonnull waymark_page_script(unsigned long *_Nonnull size);
const unsigned char *_Nonnull waymark_page_body(unsigned long *_Nonnull size);
const unsigned char *_Nonnull waymark_page_base_map(unsigned long *_Nonnull size);

#endif
