/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* GDAL beside ours: see peers.h. */

#include "peers.h"

#include <gdal.h>
#include <gdal_utils.h>
#include <stdio.h>
#include <stdlib.h>

/* The map as a dataset in memory, which is not copied. */
static GDALDatasetH gdal_open(const bench_peer_maps *maps)
{
    char name[200];
    static int registered;
    if (!registered) {
        GDALAllRegister();
        registered = 1;
    }
    snprintf(name, sizeof name, "MEM:::DATAPOINTER=%p,PIXELS=%d,LINES=%d,DATATYPE=Float32",
             (const void *)maps->from, maps->width, maps->height);
    GDALDatasetH land = GDALOpen(name, GA_ReadOnly);
    if (land == NULL) {
        fprintf(stderr, "terrain-bench: GDAL does not read maps in memory\n");
        exit(1);
    }
    return land;
}

static void gdal_process(const bench_peer_maps *maps, const char *what, char **options)
{
    GDALDatasetH land = gdal_open(maps);
    GDALDEMProcessingOptions *chosen = GDALDEMProcessingOptionsNew(options, NULL);
    GDALClose(GDALDEMProcessing("", land, what, NULL, chosen, NULL));
    GDALDEMProcessingOptionsFree(chosen);
    GDALClose(land);
}

static void gdal_slope(const bench_peer_maps *maps)
{
    char *options[] = {"-of", "MEM", "-p", "-compute_edges", NULL};
    gdal_process(maps, "slope", options);
}

static void gdal_hillshade(const bench_peer_maps *maps)
{
    char *options[] = {"-of", "MEM", "-compute_edges", NULL};
    gdal_process(maps, "hillshade", options);
}

static void gdal_resample(const bench_peer_maps *maps, double step, GDALRIOResampleAlg filter)
{
    GDALDatasetH land = gdal_open(maps);
    GDALRasterIOExtraArg arguments;
    INIT_RASTERIO_EXTRA_ARG(arguments);
    arguments.eResampleAlg = filter;
    if (GDALRasterIOEx(GDALGetRasterBand(land, 1), GF_Read, 0, 0, maps->width, maps->height,
                       maps->to, (int)(maps->width / step), (int)(maps->height / step), GDT_Float32,
                       0, 0, &arguments) != CE_None) {
        exit(1);
    }
    GDALClose(land);
}

static void gdal_double(const bench_peer_maps *maps)
{
    gdal_resample(maps, 0.5, GRIORA_Cubic);
}

static void gdal_half(const bench_peer_maps *maps)
{
    gdal_resample(maps, 2, GRIORA_Average);
}

static void gdal_third(const bench_peer_maps *maps)
{
    gdal_resample(maps, 3, GRIORA_Average);
}

#define NAME "GDAL " GDAL_RELEASE_NAME

const bench_peer bench_peers_gdal[] = {
    {"analyze_slope", NAME, gdal_slope},
    {"analyze_hillshade/8_bits", NAME, gdal_hillshade},
    {"shape_resample/double", NAME, gdal_double},
    {"shape_resample/half", NAME ", of 2 x 2 cells", gdal_half},
    {"shape_resample/third", NAME, gdal_third},
    {NULL, NULL, NULL},
};
