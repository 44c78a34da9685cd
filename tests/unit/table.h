/* Table tests on cmocka: one named test a row, each counted alone. A row is any struct whose first member is its name. */
#ifndef GT_TESTS_UNIT_TABLE_H
#define GT_TESTS_UNIT_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Runs `check` once for each of `count` rows of `row_bytes`; the row is *state. Returns the number of failures.
 * A table without rows fails: a suite that ran nothing proves nothing. */
static inline int table_run(const char *suite, const void *rows, size_t count, size_t row_bytes, void (*check)(void **state))
{
    struct CMUnitTest *tests = calloc(count > 0 ? count : 1, sizeof *tests);
    if (tests == NULL || count == 0) {
        printf("Bail out! %s has no rows\n", suite);
        free(tests);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        char *row = (char *)(uintptr_t)rows + i * row_bytes;
        const char *name;
        memcpy(&name, row, sizeof name);
        tests[i] = (struct CMUnitTest){.name = name, .test_func = check, .initial_state = row};
    }
    int failures = _cmocka_run_group_tests(suite, tests, count, NULL, NULL);
    free(tests);
    return failures;
}

/* TABLE_RUN(rows, check): rows is an array, its name the suite's. */
#define TABLE_RUN(rows, check) table_run(#rows, rows, sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]), check)

/* Compares texts of which one is not NUL-closed. */
#define assert_str(str, expected)                                                          \
    do {                                                                                   \
        char *copy_ = strndup((str).ptr != NULL ? (str).ptr : "", (str).len);              \
        if (copy_ == NULL || strcmp(copy_, (expected)) != 0)                               \
            print_error("got \"%s\", expected \"%s\"\n", copy_ != NULL ? copy_ : "", (expected)); \
        int same_ = copy_ != NULL && strcmp(copy_, (expected)) == 0;                       \
        free(copy_);                                                                       \
        assert_true(same_);                                                                \
    } while (0)

#endif
