/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "cases.h"

#include <stdio.h>
#include <string.h>
#include <terrain/terrain.h>

static const bench_case named[] = {
    /* A period at which the eighth octave is still computed: those below 2 cells are left out. */
    {.name = "generate_noise/octaves_8", .recipe = "map = generate_noise octaves=8 period=400"},
    {.name = "generate_noise/octaves_1", .recipe = "map = generate_noise octaves=1 period=100"},
    {.name = "generate_noise/simplex_8",
     .recipe = "map = generate_noise octaves=8 period=400 basis=simplex"},
    {.name = "generate_noise/value_8",
     .recipe = "map = generate_noise octaves=8 period=400 basis=value"},
    {.name = "generate_noise/warp_8",
     .recipe = "map = generate_noise octaves=8 period=400 warp_amplitude=30"},
    {.name = "generate_noise/warp_strong",
     .recipe = "map = generate_noise octaves=8 period=400 warp_amplitude=200 warp_period=100"},
    {.name = "generate_diamond_square", .recipe = "map = generate_diamond_square", .extra = 1},
    {.name = "generate_fault_lines/500", .recipe = "map = generate_fault_lines count=500"},
    {.name = "generate_drainage", .recipe = "map = generate_drainage"},
    {.name = "generate_drainage/outputs",
     .recipe = "map = generate_drainage discharge=q receiver=r water=w"},
    {.name = "generate_midpoint", .recipe = "map = generate_midpoint constraints=other"},
    {.name = "generate_ridges/world", .recipe = "map = generate_ridges peaks=world"},
    {.name = "generate_spectral", .recipe = "map = generate_spectral"},
    {.name = "generate_spectral/repeat_4096", .recipe = "map = generate_spectral repeat=4096"},
    {.name = "generate_voronoi/f1", .recipe = "map = generate_voronoi c1=1 c2=0"},
    {.name = "generate_voronoi/spacing_8", .recipe = "map = generate_voronoi spacing=8 c1=1 c2=0"},
    {.name = "generate_voronoi/f1_f2_id", .recipe = "map = generate_voronoi variation=0.5 id=ids"},
    {.name = "erode_flatten", .recipe = "map = erode_flatten map", .per = "iterations"},
    {.name = "erode_hydraulic",
     .recipe = "map = erode_hydraulic map iterations=50",
     .per = "iterations"},
    {.name = "erode_rain/fast",
     .recipe = "map = erode_rain map iterations=50 mode=fast",
     .per = "iterations"},
    {.name = "erode_rain/reference",
     .recipe = "map = erode_rain map iterations=20",
     .per = "iterations"},
    {.name = "erode_stream_power/transient",
     .recipe = "map = erode_stream_power map mode=transient iterations=20",
     .per = "iterations"},
    {.name = "erode_thermal/moore",
     .recipe = "map = erode_thermal map iterations=50",
     .per = "iterations"},
    {.name = "erode_thermal/von_neumann",
     .recipe = "map = erode_thermal map iterations=50 neighbourhood=von_neumann",
     .per = "iterations"},
    {.name = "erode_thermal/musgrave",
     .recipe = "map = erode_thermal map iterations=10 mode=musgrave",
     .per = "iterations"},
    {.name = "erode_thermal/quantum",
     .recipe = "map = erode_thermal map iterations=50 mode=quantum",
     .per = "iterations"},
    {.name = "erode_thermal/layers",
     .recipe = "map = erode_thermal map iterations=50 mode=layers",
     .per = "iterations"},
    {.name = "erode_velocity",
     .recipe = "map = erode_velocity map iterations=50",
     .per = "iterations"},
    {.name = "blur_gaussian/sigma_1", .recipe = "map = blur_gaussian map sigma=1"},
    {.name = "blur_gaussian/sigma_2", .recipe = "map = blur_gaussian map sigma=2"},
    {.name = "blur_gaussian/sigma_4", .recipe = "map = blur_gaussian map sigma=4"},
    {.name = "blur_gaussian/sigma_16", .recipe = "map = blur_gaussian map sigma=16"},
    {.name = "blur_gaussian/sigma_32", .recipe = "map = blur_gaussian map sigma=32"},
    {.name = "blur_box/radius_1", .recipe = "map = blur_box map radius=1"},
    {.name = "blur_box/radius_16", .recipe = "map = blur_box map radius=16"},
    {.name = "blur_box/radius_100", .recipe = "map = blur_box map radius=100"},
    {.name = "blur_variable/radius_16", .recipe = "map = blur_variable map radius_high=16"},
    {.name = "shape_perturb/bilinear", .recipe = "map = shape_perturb map filter=bilinear"},
    {.name = "analyze_flow/d8_none", .recipe = "result = analyze_flow map routing=none"},
    {.name = "analyze_flow/d8_carve", .recipe = "result = analyze_flow map routing=carve"},
    {.name = "analyze_flow/d8_fill", .recipe = "result = analyze_flow map routing=fill"},
    {.name = "analyze_flow/mfd", .recipe = "result = analyze_flow map method=mfd"},
    {.name = "analyze_basins/all", .recipe = "result = analyze_basins map order=o length=l"},
    {.name = "erode_rivers", .recipe = "map = erode_rivers map"},
    {.name = "shape_breach", .recipe = "map = shape_breach map"},
    {.name = "shape_fill", .recipe = "map = shape_fill map"},
    {.name = "shape_fill/slope", .recipe = "map = shape_fill map slope=0.001"},
    {.name = "shape_remap/found", .recipe = "map = shape_remap map mode=found to_high=100"},
    {.name = "shape_resample/double", .recipe = "result = shape_resample map step=0.5"},
    {.name = "shape_resample/1.37", .recipe = "result = shape_resample map step=0.73"},
    {.name = "shape_resample/half", .recipe = "result = shape_resample map step=2 filter=area"},
    {.name = "shape_resample/third", .recipe = "result = shape_resample map step=3 filter=area"},
    {.name = "combine_blend/mask", .recipe = "map = combine_blend map other mask=other"},
    {.name = "analyze_normals/all", .recipe = "result = analyze_normals map normal_y=y normal_z=z"},
    {.name = "analyze_hillshade/8_bits", .recipe = "", .buffer = BENCH_BUFFER_SHADES},
    {.name = "pack/channels", .recipe = "", .buffer = BENCH_BUFFER_CHANNELS},
    {.name = "mesh/positions", .recipe = "", .buffer = BENCH_BUFFER_POSITIONS},
    {.name = "mesh/normals", .recipe = "", .buffer = BENCH_BUFFER_NORMALS},
    {.name = "mesh/indices", .recipe = "", .buffer = BENCH_BUFFER_INDICES},
    {.name = "mesh/indices_flatter", .recipe = "", .buffer = BENCH_BUFFER_FLATTER},
    {.name = "measure/statistics", .recipe = "", .buffer = BENCH_BUFFER_STATISTICS},
    {.name = "measure/score", .recipe = "", .buffer = BENCH_BUFFER_SCORE},
    {.name = "measure/landform", .recipe = "", .buffer = BENCH_BUFFER_LANDFORM},
    {.name = "erode_shear_regions/foot",
     .recipe = "map = erode_shear_regions map passes=1 place=foot"},
    {.name = "pipeline/shear_regions_blur",
     .recipe = "map = generate_noise period=200 octaves=6 amplitude=90\n"
               "map = erode_shear_regions map\n"
               "map = blur_variable map",
     .whole = true},
    {.name = "pipeline/shear_regions_noise_blur",
     .recipe = "map = generate_noise period=200 octaves=6 amplitude=90\n"
               "map = erode_shear_regions map\n"
               "noise = generate_noise period=32 octaves=4 amplitude=2\n"
               "map = combine_blend map noise mode=add\n"
               "map = blur_variable map",
     .whole = true},
    {.name = "pipeline/shear_regions_noise_blur_foot",
     .recipe = "map = generate_noise period=200 octaves=6 amplitude=90\n"
               "map = erode_shear_regions map place=foot\n"
               "noise = generate_noise period=32 octaves=4 amplitude=2\n"
               "map = combine_blend map noise mode=add\n"
               "map = blur_variable map",
     .whole = true},
    {.name = "pipeline/shear_blur",
     .recipe = "map = generate_noise period=200 octaves=6 amplitude=90\n"
               "map = erode_shear map density=0.03815\n"
               "map = blur_gaussian map sigma=1",
     .whole = true},
    {.name = "pipeline/belhadj", /* recipes/belhadj.terrain */
     .recipe =
         "ridges = generate_ridges seed=203 offset=1 amplitude=15 least=0.13 length=110 turn=32 "
         "mode=fbm branch_spacing=15 spacing=110 variation=0.2 constraints=crests\n"
         "map = generate_midpoint seed=520 constraints=crests spacing=512 amplitude=9 gain=0.53 "
         "offset=1\n"
         "plain = generate_midpoint seed=520 spacing=512 amplitude=9 gain=0.53 offset=1\n"
         "near = analyze_distance ridges low=1.03 high=inf reach=21 mode=mask\n"
         "plain = combine_blend plain map mask=near\n"
         "plain = blur_gaussian plain sigma=0.7\n"
         "plain = erode_rivers plain method=rho8 threshold=76 depth=0.28 fall=0.0144 width=0 "
         "reach=1 rivers=beds\n"
         "crests = combine_blend crests plain mask=beds\n"
         "map = generate_midpoint seed=520 constraints=crests spacing=512 amplitude=9.6 gain=0.59 "
         "offset=1",
     .whole = true},
    {.name = "pipeline/canyons",
     .recipe = "map = generate_noise seed=21 period=420 octaves=8 amplitude=46\n"
               "map = erode_canyons_separating map seed=4 spacing=224 depth=22\n"
               "map = erode_canyons_draining map threshold=120 depth=4",
     .whole = true},
    {.name = "pipeline/olsen",
     .recipe = "hills = generate_diamond_square\n"
               "map = generate_voronoi variation=0.5\n"
               "map = combine_blend map hills mode=add\n"
               "map = shape_perturb map\n"
               "map = erode_flatten map iterations=128\n"
               "map = blur_gaussian map sigma=1",
     .whole = true},
    {.name = "pipeline/faults_fir_thermal_blur_normals",
     .recipe = "map = generate_fault_lines count=256\n"
               "map = erode_fir map\n"
               "map = erode_thermal map iterations=50 neighbourhood=von_neumann\n"
               "map = blur_gaussian map sigma=2\n"
               "x = analyze_normals map normal_y=y normal_z=z",
     .whole = true},
};

enum { NAMED_COUNT = sizeof named / sizeof named[0] };

static bool is_named(const char *name)
{
    for (uint32_t i = 0; i < NAMED_COUNT; i++) {
        if (strcmp(named[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The case of an operation with its defaults, until the next call. */
static const bench_case *defaults_of(const terrain_operation *operation)
{
    static char recipe[200];
    static bench_case found;
    char made_names[64] = "", read_names[64] = "";
    const terrain_port *port;
    for (uint32_t i = 0; (port = terrain_operation_port_at(operation, i)) != NULL; i++) {
        const char *name = port->grid != 0 ? "map other" : port->name;
        if (port->offset == 0 && port->role != TERRAIN_PORT_ROLE_READ) {
            snprintf(made_names, sizeof made_names, "%s ", name);
        }
        if (port->offset == 0 && port->role != TERRAIN_PORT_ROLE_WRITE) {
            const size_t used = strlen(read_names);
            snprintf(read_names + used, sizeof read_names - used, " %s", name);
        }
    }
    snprintf(recipe, sizeof recipe, "%s= %s%s", made_names, terrain_operation_name(operation),
             read_names);
    found = (bench_case){.name = terrain_operation_name(operation), .recipe = recipe};
    return &found;
}

const bench_case *bench_case_at(uint32_t index)
{
    if (index < NAMED_COUNT) {
        return &named[index];
    }
    index -= NAMED_COUNT;
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const terrain_operation *operation = terrain_operation_at(i);
        if (!is_named(terrain_operation_name(operation)) && index-- == 0) {
            return defaults_of(operation);
        }
    }
    return NULL;
}
