#ifndef WAYMARK_CCLOCK_H
#define WAYMARK_CCLOCK_H

// adjtimex(2), which Swift's module of the C library lacks.

// Whether the kernel knows that no time service keeps the clock; 0 if it may not be queried.
int waymark_clock_is_unsynchronised(void);

#endif
