/* What integers can be at a place of the program, so that an index that cannot leave its array needs no test.
 *
 * A client walks a function in the order in which it runs and tells what it passes: conditions that hold, loops that it
 * enters. Everything is an over-estimate; nothing is promised about floats. */
#ifndef TSR_ANALYSIS_RANGE_H
#define TSR_ANALYSIS_RANGE_H

#include "ir/program.h"

/* Both ends are possible values of the type; low > high: the place cannot be reached. */
typedef struct tsr_range {
    int64_t low, high;
} tsr_range;

typedef struct tsr_ranges tsr_ranges;

/* subgroup_size: that full subgroups have; 0: not known. */
tsr_ranges *tsr_ranges_new(const tsr_program *p, uint32_t subgroup_size, tsr_arena *arena);
/* Before and after the body of a loop (not its continuing block). */
void tsr_ranges_enter(tsr_ranges *r, tsr_id loop);
void tsr_ranges_leave(tsr_ranges *r);
/* The condition (a bool value) is `truth` from here on, until tsr_ranges_forget. */
void tsr_ranges_assume(tsr_ranges *r, tsr_id condition, bool truth);
uint32_t tsr_ranges_mark(const tsr_ranges *r);
void tsr_ranges_forget(tsr_ranges *r, uint32_t mark);

/* Of an i32 or u32 value. */
tsr_range tsr_range_of(tsr_ranges *r, tsr_id value);
/* Whether an i32 or u32 value is a number in [0, count). */
bool tsr_range_is_below(tsr_ranges *r, tsr_id value, uint64_t count);
/* Whether an i32 or u32 value is below the number of elements of the run-time array behind a pointer. */
bool tsr_range_is_below_length(tsr_ranges *r, tsr_id value, tsr_id pointer);
/* How many elements the run-time array behind a pointer has at least, by what holds here. */
uint32_t tsr_range_least_length(const tsr_ranges *r, tsr_id pointer);
/* A power of two, at most TSR_MULTIPLE_MAX, that divides an i32 or u32 value. */
uint32_t tsr_range_multiple(tsr_ranges *r, tsr_id value);
#define TSR_MULTIPLE_MAX (1u << 16)
/* How often the body of a loop runs, when it counts from one constant to another and is left nowhere else than where it
 * counts; 0: not known. A loop that `break`s elsewhere runs at most so often. */
uint32_t tsr_range_trips(tsr_ranges *r, tsr_id loop);
/* How often it runs at most, whatever it counts from; 0: not known. */
uint32_t tsr_range_most_trips(tsr_ranges *r, tsr_id loop);

#endif
