/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a game does with a world: workers make tiles, the nearest first; a player teleports, and what
 * is under way for the old place is cancelled; the recipe is changed while tiles are made of it. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>

enum { TILE = 64, WORKERS = 3, REACH = 2, QUEUE = 64 };

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

/* ---- A land: a recipe and its world, freed by whoever lets go of it last ---- */

struct land {
    atomic_int holders; /* the game, and each tile that is asked for */
    terrain_recipe *recipe;
    terrain_world *world;
};

static struct land *land_make(const char *text, uint64_t seed)
{
    struct land *land = malloc(sizeof *land);
    terrain_context *context = NULL;
    terrain_world_desc desc;
    if (land == NULL) {
        exit(1);
    }
    check(terrain_context_create(NULL, &context), NULL);
    check(terrain_recipe_parse(context, text, strlen(text), &land->recipe), context);
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = land->recipe;
    desc.seed = seed;
    check(terrain_world_create(context, &desc, &land->world), context);
    terrain_context_destroy(context);
    atomic_init(&land->holders, 1);
    return land;
}

static void land_let_go(struct land *land)
{
    if (atomic_fetch_sub(&land->holders, 1) == 1) {
        terrain_world_destroy(land->world);
        terrain_recipe_destroy(land->recipe);
        free(land);
    }
}

/* ---- Tiles, in a queue ---- */

struct tile {
    struct land *land;
    int64_t x, y;
    double distance; /* the least is made first */
    atomic_int unwanted;
    terrain_status status;
    terrain_heightmap *map;
};

struct game {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    struct tile *queue[QUEUE];
    int waiting; /* tiles in the queue */
    int working; /* workers that make one */
    int closed;
};

struct worker {
    struct game *game;
    struct tile *tile; /* that it makes now */
    pthread_t thread;
};

/* A flag of the tile's own, and not terrain_context_cancel: a cancel that comes when the tile is just
 * done would else hit the worker's next one. */
static int32_t is_unwanted(void *user, double fraction)
{
    const struct worker *worker = user;
    (void)fraction;
    return atomic_load(&worker->tile->unwanted);
}

static struct tile *take_nearest(struct game *game)
{
    int nearest = 0;
    for (int i = 1; i < game->waiting; i++) {
        if (game->queue[i]->distance < game->queue[nearest]->distance) {
            nearest = i;
        }
    }
    struct tile *tile = game->queue[nearest];
    game->queue[nearest] = game->queue[--game->waiting];
    return tile;
}

static void *work(void *user)
{
    struct worker *worker = user;
    struct game *game = worker->game;
    terrain_context *context = NULL; /* of this thread: its scratch serves one tile after another */
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.progress = (terrain_progress){worker, is_unwanted};
    check(terrain_context_create(&desc, &context), NULL);

    pthread_mutex_lock(&game->lock);
    for (;;) {
        if (game->waiting == 0 && game->closed) {
            break;
        }
        if (game->waiting == 0) {
            pthread_cond_wait(&game->changed, &game->lock);
            continue;
        }
        struct tile *tile = worker->tile = take_nearest(game);
        game->working++;
        pthread_mutex_unlock(&game->lock);

        tile->status = TERRAIN_ERROR_CANCELLED;
        if (!atomic_load(&tile->unwanted)) {
            tile->status =
                terrain_world_tile(context, tile->land->world, tile->x, tile->y, tile->map);
        }
        if (tile->status != TERRAIN_ERROR_CANCELLED) {
            check(tile->status, context);
        }
        land_let_go(tile->land);

        pthread_mutex_lock(&game->lock);
        game->working--;
        pthread_cond_broadcast(&game->changed);
    }
    pthread_mutex_unlock(&game->lock);
    terrain_context_destroy(context);
    return NULL;
}

/* ---- The game's own thread ---- */

enum { AROUND = (2 * REACH + 1) * (2 * REACH + 1) };

/* Asks for the tiles around a player who stands in the middle of the tile (x, y). */
static void ask_around(struct game *game, struct land *land, int64_t x, int64_t y,
                       struct tile *tiles)
{
    pthread_mutex_lock(&game->lock);
    for (int i = 0; i < AROUND; i++) {
        struct tile *tile = &tiles[i];
        const int64_t east = i % (2 * REACH + 1) - REACH;
        const int64_t south = i / (2 * REACH + 1) - REACH;
        atomic_fetch_add(&land->holders, 1);
        tile->land = land;
        tile->x = (x + east) * TILE;
        tile->y = (y + south) * TILE;
        tile->distance = (double)(east * east + south * south);
        atomic_init(&tile->unwanted, 0);
        check(terrain_heightmap_create(NULL, TILE, TILE, &tile->map), NULL);
        game->queue[game->waiting++] = tile;
    }
    pthread_cond_broadcast(&game->changed);
    pthread_mutex_unlock(&game->lock);
}

static void wait_for_all(struct game *game)
{
    pthread_mutex_lock(&game->lock);
    while (game->waiting > 0 || game->working > 0) {
        pthread_cond_wait(&game->changed, &game->lock);
    }
    pthread_mutex_unlock(&game->lock);
}

/* Frees the tiles. Each must be whole, as computed alone, or cancelled and as it was: all zero. */
static void inspect(const char *what, struct land *land, struct tile *tiles)
{
    int whole = 0, cancelled = 0;
    terrain_heightmap *alone = NULL;
    check(terrain_heightmap_create(NULL, TILE, TILE, &alone), NULL);
    const uint64_t empty = terrain_heightmap_hash(alone);
    for (int i = 0; i < AROUND; i++) {
        const uint64_t hash = terrain_heightmap_hash(tiles[i].map);
        check(terrain_world_tile(NULL, land->world, tiles[i].x, tiles[i].y, alone), NULL);
        whole += tiles[i].status == TERRAIN_SUCCESS && hash == terrain_heightmap_hash(alone);
        cancelled += tiles[i].status == TERRAIN_ERROR_CANCELLED && hash == empty;
        terrain_heightmap_destroy(tiles[i].map);
    }
    terrain_heightmap_destroy(alone);
    printf("%s: %s\n", what,
           whole == AROUND               ? "all tiles there"
           : whole + cancelled == AROUND ? "each tile there or cancelled"
                                         : "wrong");
}

int main(void)
{
    static const char first[] = "hills = generate_noise seed=3 period=200 amplitude=60\n"
                                "worn  = erode_thermal hills talus=0.5 iterations=100\n";
    static const char second[] = "hills = generate_noise seed=3 period=200 amplitude=80\n"
                                 "worn  = erode_thermal hills talus=0.6 iterations=80\n";
    static struct game game;
    static struct tile old[AROUND], tiles[AROUND], changed[AROUND];
    struct worker workers[WORKERS];
    pthread_mutex_init(&game.lock, NULL);
    pthread_cond_init(&game.changed, NULL);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){.game = &game};
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            return 1;
        }
    }
    struct land *land = land_make(first, 42);

    /* The player teleports while tiles are made. */
    ask_around(&game, land, 0, 0, old);
    for (int i = 0; i < AROUND; i++) {
        atomic_store(&old[i].unwanted, 1);
    }
    ask_around(&game, land, 1000000, -7, tiles);
    wait_for_all(&game);
    inspect("the old place", land, old);
    inspect("the new place", land, tiles);

    /* The recipe changes while tiles are made. The old land goes when its last tile is done. */
    ask_around(&game, land, 500, 500, old);
    for (int i = 0; i < AROUND; i++) {
        atomic_store(&old[i].unwanted, 1);
    }
    land_let_go(land);
    land = land_make(second, 42);
    ask_around(&game, land, 500, 500, changed);
    wait_for_all(&game);
    inspect("the new land", land, changed);
    for (int i = 0; i < AROUND; i++) {
        terrain_heightmap_destroy(old[i].map);
    }

    pthread_mutex_lock(&game.lock);
    game.closed = 1;
    pthread_cond_broadcast(&game.changed);
    pthread_mutex_unlock(&game.lock);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    land_let_go(land);
    return 0;
}
