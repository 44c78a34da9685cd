/* Replays the seeds of one fuzz target: one TAP line a file. usage: replay_NAME [FILE…]; without a file all of its seeds. */
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { SEED_BYTES_MAX = 4 * 1024 * 1024, PATH_BYTES_MAX = 1024 };

/* What is being replayed, for the handler alone. */
static const char *replayed;

/* Names the seed that ended the program. */
static void on_fault(int signal_number)
{
    static const char words[] = "replaying it ended the program: ";
    ssize_t done = write(STDERR_FILENO, words, sizeof words - 1);
    done += write(STDERR_FILENO, replayed, strlen(replayed));
    done += write(STDERR_FILENO, "\n", 1);
    signal(done > 0 ? signal_number : SIGABRT, SIG_DFL);
    raise(signal_number);
}

/* Runs one file; false when it cannot be read. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(SEED_BYTES_MAX);
    if (file == NULL || bytes == NULL) {
        if (file != NULL) fclose(file);
        free(bytes);
        return 0;
    }
    size_t len = fread(bytes, 1, SEED_BYTES_MAX, file);
    int is_read = !ferror(file) && feof(file);
    fclose(file);
    /* exactly as large as the input: a byte behind it belongs to nobody */
    uint8_t *exact = realloc(bytes, len > 0 ? len : 1);
    replayed = path;
    if (is_read) LLVMFuzzerTestOneInput(exact != NULL ? exact : bytes, len);
    free(exact != NULL ? exact : bytes);
    return is_read;
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* All seeds in the order of their names. */
static int replay_folder(const char *folder, int *ret_failed)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_seed, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        int is_done = replay(path);
        printf("%sok %d - %s\n", is_done ? "" : "not ", i + 1, path);
        fflush(stdout);
        *ret_failed += !is_done;
        free(entries[i]);
    }
    free(entries);
    return count;
}

int main(int argc, char **argv)
{
    int failed = 0, count = argc - 1;
    signal(SIGABRT, on_fault);
    signal(SIGSEGV, on_fault);
    if (argc == 1) {
        count = replay_folder(FUZZ_SEEDS, &failed);
        if (count > 0) printf("1..%d\n", count);
        else printf("Bail out! no seeds in " FUZZ_SEEDS "\n");
    }
    for (int i = 1; i < argc; i++) failed += !replay(argv[i]);
    return failed == 0 && count > 0 ? 0 : 1;
}
