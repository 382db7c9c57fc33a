/* How long `munchbot play` takes from its start to its first prompt, at a pseudo-terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pty.h>
#include <utmp.h>

enum { RUNS = 20, SEEN_SIZE = 65536, PATIENCE_MS = 10000 };

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void run_program(const char *program, int terminal)
{
    char name[1024];
    char play[] = "play";
    char who[] = "--name=Ann";
    char guide[] = "--no-guide";
    char term[] = "TERM=xterm";
    (void)snprintf(name, sizeof name, "%s", program);
    char *const arguments[] = {name, play, who, guide, NULL};
    char *const environment[] = {term, NULL};
    if (login_tty(terminal) == 0) {
        (void)execve(program, arguments, environment);
    }
    _exit(127);
}

// Milliseconds to the prompt, or -1.
static double time_one(const char *program)
{
    static char seen[SEEN_SIZE];
    const struct winsize window = {.ws_row = 24, .ws_col = 80};
    int person = -1;
    int terminal = -1;
    size_t count = 0;
    double spent = -1;
    if (openpty(&person, &terminal, NULL, NULL, &window) != 0) {
        return -1;
    }
    const double before = now_ms();
    const pid_t child = fork();
    if (child == 0) {
        (void)close(person);
        run_program(program, terminal);
    }
    (void)close(terminal);
    struct pollfd out = {.fd = person, .events = POLLIN};
    while (spent < 0 && child > 0 && count + 1 < sizeof seen && poll(&out, 1, PATIENCE_MS) > 0) {
        const ssize_t some = read(person, seen + count, sizeof seen - 1 - count);
        if (some <= 0) {
            break;
        }
        count += (size_t)some;
        seen[count] = '\0';
        spent = strstr(seen, "> ") != NULL ? now_ms() - before : -1;
    }
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    (void)close(person);
    return spent;
}

int main(int argc, char **argv)
{
    const char *const program = argc > 1 ? argv[1] : "build/release/munchbot";
    double least = 1e9;
    double most = 0;
    double sum = 0;
    for (unsigned i = 0; i < RUNS; i++) {
        const double spent = time_one(program);
        if (spent < 0) {
            (void)fprintf(stderr, "bench_start: %s shows no prompt\n", program);
            return 1;
        }
        least = spent < least ? spent : least;
        most = spent > most ? spent : most;
        sum += spent;
    }
    printf("start to first prompt: mean %.1f ms, least %.1f ms, most %.1f ms of %d runs\n",
           sum / RUNS, least, most, RUNS);
    return 0;
}
