#include "CGPS.h"

#ifdef WAYMARK_LIBGPS
#include <gps.h>
#endif

// Before API 9 (gpsd 3.20) the time of a fix was a double.
#if defined(WAYMARK_LIBGPS) && GPSD_API_MAJOR_VERSION >= 9

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A libgps of another release than gps.h may write past the end of gps_data_t: those of 3.20 to
// 3.27 differ by 15 KiB. With this room it damages nothing until the self-test has found the
// difference.
enum { Slack = 64 * 1024 };

struct CGPSDecoder {
  struct gps_data_t *data;
  char line[CGPSLineLimit + 1];
};

int32_t CGPSVersion(void) { return GPSD_API_MAJOR_VERSION * 100 + GPSD_API_MINOR_VERSION; }

CGPSDecoder *CGPSDecoderCreate(void) {
  CGPSDecoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->data = calloc(1, sizeof *decoder->data + Slack);
  if (decoder->data) return decoder;
  free(decoder);
  return NULL;
}

void CGPSDecoderDestroy(CGPSDecoder *decoder) {
  if (!decoder) return;
  free(decoder->data);
  free(decoder);
}

static bool unpack(CGPSDecoder *decoder, const uint8_t *line, size_t count) {
  if (count > CGPSLineLimit || memchr(line, 0, count)) return false;
  memcpy(decoder->line, line, count);
  decoder->line[count] = '\0';
  // libgps never clears a flag that an earlier line has set.
  decoder->data->set = 0;
  // The result is not significant: it is 0 for broken lines as well.
  (void)gps_unpack(decoder->line, decoder->data);
  return true;
}

bool CGPSDecodePosition(
    CGPSDecoder *decoder, const uint8_t *line, size_t count, CGPSPosition *position) {
  struct gps_data_t *data = decoder->data;
  struct gps_fix_t *fix = &data->fix;
  // Nothing of an earlier line may be taken for this one's, even where libgps reads nothing.
  fix->mode = -1;
  fix->time.tv_sec = 0;
  fix->time.tv_nsec = 0;
  fix->latitude = fix->longitude = NAN;
  fix->altHAE = fix->altMSL = fix->altitude = NAN;
  fix->speed = fix->track = NAN;
  fix->eph = fix->epx = fix->epy = fix->epv = fix->epd = NAN;
  fix->magnetic_var = NAN;
  if (!unpack(decoder, line, count)) return false;
  *position = (CGPSPosition){
      .mode = fix->mode,
#if GPSD_API_MAJOR_VERSION >= 10
      .status = fix->status,
#else
      .status = data->status,
#endif
      .seconds = fix->time.tv_sec,
      .nanoseconds = fix->time.tv_nsec,
      .latitude = fix->latitude,
      .longitude = fix->longitude,
      .ellipsoidalAltitude = fix->altHAE,
      .altitude = fix->altMSL,
      .oldAltitude = fix->altitude,
      .speed = fix->speed,
      .course = fix->track,
      .horizontalError = fix->eph,
      .longitudeError = fix->epx,
      .latitudeError = fix->epy,
      .verticalError = fix->epv,
      .courseError = fix->epd,
      .variation = fix->magnetic_var,
  };
  return true;
}

bool CGPSDecodeSky(CGPSDecoder *decoder, const uint8_t *line, size_t count, CGPSSky *sky) {
  struct gps_data_t *data = decoder->data;
  data->dop.hdop = data->dop.vdop = data->dop.pdop = NAN;
  data->satellites_used = data->satellites_visible = -1;
  if (!unpack(decoder, line, count)) return false;
  *sky = (CGPSSky){
      .hdop = data->dop.hdop,
      .vdop = data->dop.vdop,
      .pdop = data->dop.pdop,
      .satellitesUsed = data->satellites_used,
      .satellitesVisible = data->satellites_visible,
  };
  return true;
}

#else

int32_t CGPSVersion(void) { return 0; }

CGPSDecoder *CGPSDecoderCreate(void) { return NULL; }

void CGPSDecoderDestroy(CGPSDecoder *decoder) { (void)decoder; }

bool CGPSDecodePosition(
    CGPSDecoder *decoder, const uint8_t *line, size_t count, CGPSPosition *position) {
  (void)decoder, (void)line, (void)count, (void)position;
  return false;
}

bool CGPSDecodeSky(CGPSDecoder *decoder, const uint8_t *line, size_t count, CGPSSky *sky) {
  (void)decoder, (void)line, (void)count, (void)sky;
  return false;
}

#endif
