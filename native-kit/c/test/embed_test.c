/*
 * A library in the executable: its functions keep their arguments on the first call and on later
 * ones, libraries that it needs come first, and it is told apart from those. the Makefile makes
 * libone.so and libtwo.so of embed_library.c and embeds them.
 */
#include "embedded_library.h"

#include "check.h"

extern struct embedded_library embedded_one, embedded_two;

/* Of libone.so. */
double sum_of_many(long a, long b, long c, long d, long e, long f, long g, double h, double i, double j, double k, double l, double m,
                   double n, double o, double p);
/* Of libtwo.so, which calls into libone.so. */
int twice_the_answer(void);

int main(void) {
    CHECK_TRUE(embedded_one.handle == NULL);
    CHECK_NUMBER(twice_the_answer(), 84);
    CHECK_TRUE(embedded_one.handle != NULL && embedded_two.handle != NULL && embedded_one.handle != embedded_two.handle);
    for (int call = 0; call < 2; call++) {
        CHECK_NUMBER(sum_of_many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), 136);
    }
    CHECK_TRUE(embedded_library_own_symbol(&embedded_one, "answer") != NULL);
    CHECK_TRUE(embedded_library_own_symbol(&embedded_two, "answer") == NULL);
    CHECK_TRUE(embedded_library_own_symbol(&embedded_two, "nothing_of_that_name") == NULL);
    return end_of_checks("embed");
}
