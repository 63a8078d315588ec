/* cmocka.h and what it needs before it. */
#ifndef TSR_TESTS_UNIT_H
#define TSR_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
