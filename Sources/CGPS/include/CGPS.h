// The values that libgps reads from a line of gpsd's JSON, in structures whose layout does not
// depend on the release of libgps (that of gps_data_t changes with nearly every one).
#ifndef CGPS_H
#define CGPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// TPV; a number that the line does not contain is NaN.
typedef struct {
  // -1 when libgps read no TPV at all.
  int32_t mode;
  int32_t status;
  // Since 1970; both 0 without a time.
  int64_t seconds;
  int64_t nanoseconds;
  double latitude, longitude;
  double ellipsoidalAltitude, altitude, oldAltitude;
  double speed, course;
  double horizontalError, longitudeError, latitudeError, verticalError, courseError;
  double variation;
} CGPSPosition;

// SKY; a number that the line does not contain is NaN, a count -1.
typedef struct {
  double hdop, vdop, pdop;
  int32_t satellitesUsed, satellitesVisible;
} CGPSSky;

// The most bytes of a line: gpsd's own limit (GPS_JSON_RESPONSE_MAX).
enum { CGPSLineLimit = 10240 };

// API version of the gps.h that this was built with, 100 for each major one; 0 without gps.h, or
// with one older than gpsd 3.20.
int32_t CGPSVersion(void);

typedef struct CGPSDecoder CGPSDecoder;

// Returns NULL without libgps, or when out of memory.
CGPSDecoder *_Nullable CGPSDecoderCreate(void);
void CGPSDecoderDestroy(CGPSDecoder *_Nullable decoder);

// Reads a line, which need not end in NUL. Returns false when it is too long or contains a NUL.
bool CGPSDecodePosition(
    CGPSDecoder *_Nonnull decoder, const uint8_t *_Nonnull line, size_t count,
    CGPSPosition *_Nonnull position);
bool CGPSDecodeSky(
    CGPSDecoder *_Nonnull decoder, const uint8_t *_Nonnull line, size_t count,
    CGPSSky *_Nonnull sky);

#endif
