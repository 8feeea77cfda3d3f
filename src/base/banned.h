/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H
/*
 * Functions that must not be used, forbidden by the compiler. Include it last in the headers of base/
 * (util.h does), so that every file has it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Macros in a fortified build with clang; a macro cannot be poisoned. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok strerror
#pragma GCC poison gmtime localtime ctime asctime atoi atol atoll atof
#pragma GCC poison system popen tmpnam tempnam mktemp rand srand

#endif
