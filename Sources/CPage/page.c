#include "page.h"

// The files themselves, in the order in which a page needs them.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "leaflet/leaflet.css"
    , '\n',
#embed "../Reporting/Page/page.css"
};

// Each page is a copy of Leaflet, so its licence goes with it.
static const unsigned char leaflet[] = {
    '/', '*', '\n',
#embed "leaflet/LICENSE"
    , '*', '/', '\n',
#embed "leaflet/leaflet.min.js"
    , '\n'};

// The list comes before the map: it works without it.
static const unsigned char script[] = {
#embed "../Reporting/Page/data.js"
    ,
#embed "../Reporting/Page/units.js"
    ,
#embed "../Reporting/Page/selection.js"
    ,
#embed "../Reporting/Page/events.js"
    ,
#embed "../Reporting/Page/levels.js"
    ,
#embed "../Reporting/Page/basemap.js"
    ,
#embed "../Reporting/Page/tiles.js"
    ,
#embed "../Reporting/Page/draw.js"
    ,
#embed "../Reporting/Page/legend.js"
    ,
#embed "../Reporting/Page/map.js"
};

static const unsigned char report_script[] = {
#embed "../Reporting/Page/places.js"
    ,
#embed "../Reporting/Page/model.js"
    ,
#embed "../Reporting/Page/days.js"
    ,
#embed "../Reporting/Page/timeline.js"
    ,
#embed "../Reporting/Page/evidence.js"
    ,
#embed "../Reporting/Page/strips.js"
    ,
#embed "../Reporting/Page/main.js"
};

static const unsigned char report_body[] = {
#embed "../Reporting/Page/page.html"
};

static const unsigned char live_script[] = {
#embed "../Reporting/Page/fleet.js"
    ,
#embed "../Reporting/Page/live.js"
};

static const unsigned char live_page[] = {
#embed "../Reporting/Page/live.html"
};

static const unsigned char base_map[] = {
#embed "base-map.bin"
};

#define FILE(name) ((struct waymark_file){name, sizeof name})

struct waymark_file waymark_page_style(void) { return FILE(style); }
struct waymark_file waymark_page_leaflet(void) { return FILE(leaflet); }
struct waymark_file waymark_page_script(void) { return FILE(script); }
struct waymark_file waymark_page_base_map(void) { return FILE(base_map); }
struct waymark_file waymark_report_script(void) { return FILE(report_script); }
struct waymark_file waymark_report_body(void) { return FILE(report_body); }
struct waymark_file waymark_live_script(void) { return FILE(live_script); }
struct waymark_file waymark_live_page(void) { return FILE(live_page); }
