// The header alone, so that it is compiled as C.
#include "waymark.h"
