#include "CDemo.h"

// The files of the story themselves, so the demo and traces/ cannot differ.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char track[] = {
#embed "../../traces/out-and-back/track.gpx"
};

static const unsigned char config[] = {
#embed "../../traces/out-and-back/waymark.yaml"
};

#define FILE(name) ((struct waymark_demo_file){name, sizeof name})

struct waymark_demo_file waymark_demo_track(void) { return FILE(track); }
struct waymark_demo_file waymark_demo_config(void) { return FILE(config); }
