/* Makes code that was just written visible to the processor. */
void codeSynchronization_clearCache(long start, long end) {
    __builtin___clear_cache((char *)start, (char *)end);
}
