#include "page.h"

// The files themselves, in the order in which the page needs them.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "leaflet/leaflet.css"
    , '\n',
#embed "../Reporting/Page/page.css"
};

// A scope of their own for the scripts of the page, which share it.
#define OPEN '(', '(', ')', '=', '>', '{', '\n'
#define CLOSE '}', ')', '(', ')', ';', '\n'

// Each page is a copy of Leaflet, so its licence goes with it.
static const unsigned char script[] = {
    '/', '*', '\n',
#embed "leaflet/LICENSE"
    , '*', '/', '\n',
#embed "leaflet/leaflet.min.js"
    , '\n', ';', OPEN,
#embed "../Reporting/Page/data.js"
    ,
#embed "../Reporting/Page/units.js"
    ,
#embed "../Reporting/Page/levels.js"
    ,
#embed "../Reporting/Page/basemap.js"
    ,
#embed "../Reporting/Page/tiles.js"
    ,
#embed "../Reporting/Page/draw.js"
    ,
#embed "../Reporting/Page/map.js"
    ,
#embed "../Reporting/Page/days.js"
    ,
#embed "../Reporting/Page/timeline.js"
    ,
#embed "../Reporting/Page/events.js"
    ,
#embed "../Reporting/Page/strips.js"
    ,
#embed "../Reporting/Page/main.js"
    , CLOSE};

static const unsigned char body[] = {
#embed "../Reporting/Page/page.html"
};

static const unsigned char base_map[] = {
#embed "base-map.bin"
};

const unsigned char *waymark_page_style(unsigned long *size) {
  *size = sizeof style;
  return style;
}

const unsigned char *waymark_page_script(unsigned long *size) {
  *size = sizeof script;
  return script;
}

const unsigned char *waymark_page_body(unsigned long *size) {
  *size = sizeof body;
  return body;
}

const unsigned char *waymark_page_base_map(unsigned long *size) {
  *size = sizeof base_map;
  return base_map;
}
