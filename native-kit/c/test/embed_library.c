/* Compiled twice: as libone.so, and as libtwo.so, which needs it. */
#ifdef ONE
int answer(void) {
    return 42;
}

double sum_of_many(long a, long b, long c, long d, long e, long f, long g, double h, double i, double j, double k, double l, double m,
                   double n, double o, double p) {
    return (double)(a + b + c + d + e + f + g) + h + i + j + k + l + m + n + o + p;
}
#else
int answer(void);

int twice_the_answer(void) {
    return 2 * answer();
}
#endif
