/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "progress.h"

#include <stdio.h>

#include "system.h"

/* Ten times a second is smooth enough; short runs show none. */
#define PROGRESS_INTERVAL 0.1

enum { PROGRESS_WIDTH = 40 };

void progress_init(progress_bar *bar)
{
    bar->terminal = system_has_terminal();
    bar->drawn = false;
    bar->next = system_seconds() + PROGRESS_INTERVAL;
}

static int32_t progress_report(void *user, double fraction)
{
    progress_bar *bar = user;
    double now = bar->terminal ? system_seconds() : 0;
    int filled = (int)(fraction * PROGRESS_WIDTH);
    if (!bar->terminal || now < bar->next) {
        return 0;
    }
    bar->next = now + PROGRESS_INTERVAL;
    bar->drawn = true;
    fprintf(stderr, "\r[%.*s%.*s] %3d%%", filled, "########################################",
            PROGRESS_WIDTH - filled, "                                        ",
            (int)(fraction * 100));
    fflush(stderr);
    return 0;
}

terrain_progress progress_of(progress_bar *bar)
{
    terrain_progress progress = {bar, progress_report};
    return progress;
}

void progress_clear(progress_bar *bar)
{
    if (bar->drawn) {
        fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH + 7, "");
        fflush(stderr);
        bar->drawn = false;
    }
}
