// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// Written from the operation table by write_operations.py.

namespace Libterrain
{
    /// <summary>What the two heights become.</summary>
    public enum BlendMode
    {
        /// <summary>a + b</summary>
        Add = 0,

        /// <summary>a - b</summary>
        Subtract = 1,

        /// <summary>a * b</summary>
        Multiply = 2,

        /// <summary>b; a weight below 1 interpolates between a and b</summary>
        Lerp = 3,

        /// <summary>the lower of a and b</summary>
        Minimum = 4,

        /// <summary>the higher of a and b</summary>
        Maximum = 5,

        /// <summary>min(a, b) - max(0, radius - |a - b|)^2 / (4 radius)</summary>
        SmoothMinimum = 6,

        /// <summary>max(a, b) + max(0, radius - |a - b|)^2 / (4 radius)</summary>
        SmoothMaximum = 7,
    }

    /// <summary>What lies beyond the edge of a bounded map.</summary>
    public enum Border
    {
        /// <summary>the nearest cell of the map</summary>
        Clamp = 0,

        /// <summary>the map reflected in its edge: cell -1 is cell 0, cell -2 cell 1</summary>
        Mirror = 1,

        /// <summary>the map repeated: cell -1 is the last one</summary>
        Wrap = 2,

        /// <summary>no cells: means are of the map's own, shape_perturb reads 0</summary>
        Open = 3,
    }

    /// <summary>Where a cell's water goes: to the steepest neighbour, or to a random lower one.</summary>
    public enum CanyonsDrainingMethod
    {
        /// <summary>to the steepest of the eight neighbours</summary>
        D8 = 0,

        /// <summary>to one of the lower neighbours, at random, by slope</summary>
        Rho8 = 1,
    }

    /// <summary>How the random heights and displacements are distributed.</summary>
    public enum DiamondSquareDistribution
    {
        /// <summary>uniform in [-1, 1)</summary>
        Uniform = 0,

        /// <summary>bell-shaped: (the sum of four bytes - 510) / 256</summary>
        Gaussian = 1,
    }

    /// <summary>How the middle of an edge is interpolated.</summary>
    public enum DiamondSquareMode
    {
        /// <summary>the mean of the edge's two ends and the two centres beside it</summary>
        Diamond4 = 0,

        /// <summary>the mean of the two ends ("midpoint displacement"): more creased</summary>
        Edge2 = 1,
    }

    /// <summary>What the result is: a length, or a mask that falls from 1 in the range to 0 at reach.</summary>
    public enum DistanceMode
    {
        /// <summary>in the unit of heights and of cell_size</summary>
        Length = 0,

        /// <summary>1 in the range, 0 at `reach`</summary>
        Mask = 1,
    }

    /// <summary>Shape of a fault, across its line.</summary>
    public enum FaultLinesProfile
    {
        /// <summary>-1 for t &lt; 0, 1 otherwise: one side up, the other down</summary>
        Step = 0,

        /// <summary>0 for t &lt; 0, 1 otherwise: one side up</summary>
        Step01 = 1,

        /// <summary>sin(pi t / 2 w) for |t| &lt; w, else the sign of t: a slope</summary>
        Sine = 2,

        /// <summary>(1 + cos(pi t / w)) / 2 for |t| &lt; w, else 0: a ridge</summary>
        Cosine = 3,

        /// <summary>exp(-t^2 / 2 w^2) for |t| &lt; 6 w, else 0: a ridge</summary>
        Bell = 4,
    }

    /// <summary>How random lines are drawn.</summary>
    public enum FaultLinesSampler
    {
        /// <summary>by an angle and a distance from the middle: uniform over the frame</summary>
        AngleOffset = 0,

        /// <summary>through two random points: more lines near the middle, which becomes rougher</summary>
        TwoPoints = 1,
    }

    /// <summary>What a cell takes over from the cell before: all heights, or falls alone.</summary>
    public enum FirMode
    {
        /// <summary>all heights, higher and lower: a blur with a memory</summary>
        Smear = 0,

        /// <summary>only from a higher cell: hollows fill, no cell is lowered</summary>
        Downhill = 1,

        /// <summary>only from a higher cell, which loses as much: the sum stays</summary>
        Conserving = 2,
    }

    /// <summary>Where a cell's water goes: to one neighbour, to a random one, to two, or to all lower ones.</summary>
    public enum FlowMethod
    {
        /// <summary>to the steepest of the eight neighbours; parallel lines on slopes</summary>
        D8 = 0,

        /// <summary>to one of the lower neighbours, at random, by slope: no such lines</summary>
        Rho8 = 1,

        /// <summary>in the steepest direction, divided between two neighbours</summary>
        Dinf = 2,

        /// <summary>to all lower neighbours: smooth on hills and fans</summary>
        Mfd = 3,
    }

    /// <summary>How water leaves depressions: as if they were filled, along their beds, or not at all.</summary>
    public enum FlowRouting
    {
        /// <summary>as if depressions were filled: straight across their lakes</summary>
        Fill = 0,

        /// <summary>along the beds of depressions and over their lowest pass</summary>
        Carve = 1,

        /// <summary>water stays in depressions</summary>
        None = 2,
    }

    /// <summary>What the hill looks like from above: a circle, a square, a square on its corner.</summary>
    public enum Metric
    {
        /// <summary>sqrt(dx^2 + dy^2): a circle around a place</summary>
        Euclidean = 0,

        /// <summary>the greater of |dx| and |dy|: a square</summary>
        Chebyshev = 1,

        /// <summary>|dx| + |dy|: a square that stands on its corner</summary>
        Manhattan = 2,

        /// <summary>dx^2 + dy^2: faster than euclidean</summary>
        Squared = 3,
    }

    /// <summary>How coarse levels learn of the constraints.</summary>
    public enum MidpointMode
    {
        /// <summary>only from constraints on their own points: others stand out as spikes</summary>
        None = 0,

        /// <summary>from the mean of neighbouring known points, level by level: plateaus</summary>
        Recursive = 1,

        /// <summary>from all constraints around, weighted by distance: soft slopes</summary>
        PullPush = 2,
    }

    /// <summary>The kind of noise in each octave, and its lattice.</summary>
    public enum NoiseBasis
    {
        /// <summary>gradient noise with one third of value noise, on shifted rows</summary>
        Gradient = 0,

        /// <summary>gradient noise on squares, as published: the lattice shows</summary>
        Perlin = 1,

        /// <summary>gradient noise on triangles: no direction is preferred</summary>
        Simplex = 2,

        /// <summary>value noise on shifted rows: blunt, blocky, and fast</summary>
        Value = 3,
    }

    /// <summary>How octaves are summed.</summary>
    public enum NoiseFractal
    {
        /// <summary>fractional Brownian motion: rolling hills, valleys like hills</summary>
        Fbm = 0,

        /// <summary>sharp crests that carry the detail, smooth hollows</summary>
        Ridged = 1,

        /// <summary>round hills, sharp valleys</summary>
        Billow = 2,
    }

    /// <summary>How heights between cells are interpolated.</summary>
    public enum PerturbFilter
    {
        /// <summary>linear between 2 x 2 cells: no new highs or lows</summary>
        Bilinear = 0,

        /// <summary>Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot</summary>
        Bicubic = 1,

        /// <summary>bicubic, clamped to the cells around: never overshoots</summary>
        BicubicClamped = 2,
    }

    /// <summary>What it looks like from the side.</summary>
    public enum RadialCurve
    {
        /// <summary>t: a cone</summary>
        Linear = 0,

        /// <summary>t^2 (3 - 2 t): level at the foot and at the top</summary>
        Smooth = 1,

        /// <summary>t (2 - t): round at the top, an edge at the foot</summary>
        Parabola = 2,

        /// <summary>sqrt(t (2 - t)): half a sphere, upright at the foot</summary>
        Dome = 3,
    }

    /// <summary>Where water flows: to the lowest of four neighbours, or to all lower ones of eight.</summary>
    public enum RainMode
    {
        /// <summary>to the lowest of four neighbours; water always carries all it can</summary>
        Fast = 0,

        /// <summary>to all lower ones of eight neighbours; sediment moves with the water</summary>
        Reference = 1,
    }

    /// <summary>Where the source range comes from: from_low and from_high, or the map's own range.</summary>
    public enum RemapMode
    {
        /// <summary>from_low and from_high</summary>
        Given = 0,

        /// <summary>the finite minimum and maximum of the map</summary>
        Found = 1,
    }

    /// <summary>How heights between cells are interpolated; AREA for steps above 1.</summary>
    public enum ResampleFilter
    {
        /// <summary>the nearest cell; halfway, the one with the greater coordinate</summary>
        Nearest = 0,

        /// <summary>linear between 2 x 2 cells: leaves creases when it enlarges</summary>
        Bilinear = 1,

        /// <summary>Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot</summary>
        Bicubic = 2,

        /// <summary>the mean over a square as wide as step: for steps above 1</summary>
        Area = 3,
    }

    /// <summary>How ridges turn.</summary>
    public enum RidgesMode
    {
        /// <summary>to one side and the other in turn, by random angles</summary>
        Alternating = 0,

        /// <summary>all the time, by fractal noise</summary>
        Fbm = 1,
    }

    /// <summary>Where peaks are.</summary>
    public enum RidgesPeaks
    {
        /// <summary>so many as fit into the frame, anywhere in it</summary>
        Frame = 0,

        /// <summary>one in each square of the world, without end: tiles fit, and no frame is needed</summary>
        World = 1,
    }

    /// <summary>Whether water leaves over the edge of the map, or only at NaN.</summary>
    public enum Rim
    {
        /// <summary>over the edge of the map, at each of its cells</summary>
        Open = 0,

        /// <summary>only at NaN; on a map without NaN, at the lowest cell</summary>
        Closed = 1,
    }

    /// <summary>Where a cell's water goes: to the steepest neighbour, to a random lower one, or on with its
    /// velocity.</summary>
    public enum RiversMethod
    {
        /// <summary>to the steepest of the eight neighbours</summary>
        D8 = 0,

        /// <summary>to one of the lower neighbours, at random, by slope: rivers wander</summary>
        Rho8 = 1,

        /// <summary>on with its velocity, as particles do: rivers meander</summary>
        Velocity = 2,
    }

    /// <summary>How deep a drop digs: never below the lowest cell it reaches, or by strength alone.</summary>
    public enum ShearMode
    {
        /// <summary>by strength, but not below the lowest cell that it reaches</summary>
        Drained = 0,

        /// <summary>by strength alone, as the method is usually described</summary>
        Fixed = 1,
    }

    /// <summary>Where the debris is put: where it came from, or in a heap at the foot of the cliff.</summary>
    public enum ShearRegionsPlace
    {
        /// <summary>spread over the region, where it came from</summary>
        InPlace = 0,

        /// <summary>in a heap at the foot of the new cliff</summary>
        Foot = 1,
    }

    /// <summary>Rise over run, or the angle in degrees.</summary>
    public enum SlopeUnit
    {
        /// <summary>rise over run: 1 is 45 degrees</summary>
        Rise = 0,

        /// <summary>0 to 90</summary>
        Degrees = 1,
    }

    /// <summary>How the weight changes across the overlap.</summary>
    public enum StitchCurve
    {
        /// <summary>1 - t^3 (t (6 t - 15) + 10): neither end has a kink nor curvature</summary>
        Smoother = 0,

        /// <summary>1 - t^2 (3 - 2 t): no kinks</summary>
        Smooth = 1,

        /// <summary>1 - t</summary>
        Linear = 2,
    }

    /// <summary>The state where uplift and erosion balance, or time steps on the way to it.</summary>
    public enum StreamPowerMode
    {
        /// <summary>the steady state, where rivers cut as fast as the land rises</summary>
        Steady = 0,

        /// <summary>a number of time steps from the map as it is</summary>
        Transient = 1,
    }

    /// <summary>How much slides: a part of the excess, by the published rule, a fixed amount, or debris
    /// alone.</summary>
    public enum ThermalMode
    {
        /// <summary>a part of the excess between each two neighbours</summary>
        Flux = 0,

        /// <summary>from each cell, divided among its lower neighbours (Musgrave 1989)</summary>
        Musgrave = 1,

        /// <summary>a small fixed amount between each two neighbours: the classic landslide</summary>
        Quantum = 2,

        /// <summary>only debris slides; rock weathers to debris</summary>
        Layers = 3,
    }

    /// <summary>Which neighbours material slides to: all eight, the four at the edges, or the four at the
    /// corners.</summary>
    public enum ThermalNeighbourhood
    {
        /// <summary>all eight neighbours</summary>
        Moore = 0,

        /// <summary>the four neighbours that share an edge: half the time</summary>
        VonNeumann = 1,

        /// <summary>the four neighbours that share a corner (Olsen 2004)</summary>
        Rotated = 2,
    }

    /// <summary>Whether to interpolate between whole radii, or to follow the published method.</summary>
    public enum VariableMode
    {
        /// <summary>interpolates between the windows of two whole radii; uses the border</summary>
        Smooth = 0,

        /// <summary>rounds the radius; copies cells whose window crosses the edge</summary>
        Published = 1,
    }

    /// <summary>Makes land from nothing. Each writes every cell of the map that it is given, and returns it.</summary>
    public static class Generate
    {
        /// <summary>Midpoint displacement from an endless lattice of random heights.</summary>
        /// <remarks>Fournier, Fussell, Carpenter: Computer rendering of stochastic models, CACM 1982</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="spacing">Distance between the lattice's points, the size of mountains; a power of two. Cells, 1
        /// to 1073741824.</param>
        /// <param name="amplitude">The lattice's heights are random within plus or minus this. Height, 0 to
        /// 1000000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="gain">Factor of the displacements from level to level: 2^-H; rougher towards 1. 0 to 1.</param>
        /// <param name="mode">How the middle of an edge is interpolated.</param>
        /// <param name="distribution">How the random heights and displacements are distributed.</param>
        /// <param name="displaceAll">Whether to displace a level's old points, too: the lattice's creases stand out
        /// less.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap DiamondSquare(
            Heightmap map,
            ulong seed = 0,
            int spacing = 128,
            float amplitude = 48,
            float offset = 0,
            float gain = 0.5f,
            DiamondSquareMode mode = DiamondSquareMode.Diamond4,
            DiamondSquareDistribution distribution = DiamondSquareDistribution.Uniform,
            bool displaceAll = false,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_diamond_square"))
            {
                call.Set("seed", seed, 0);
                call.Set("spacing", spacing, 128);
                call.Set("amplitude", amplitude, 48);
                call.Set("offset", offset, 0);
                call.Set("gain", gain, 0.5f);
                call.Set("mode", (long)mode, (long)DiamondSquareMode.Diamond4);
                call.Set("distribution", (long)distribution, (long)DiamondSquareDistribution.Uniform);
                call.Set("displace_all", displaceAll, false);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>An endless land whose rivers all reach the sea, by valleys that join and deepen.</summary>
        /// <remarks>Flint, Stream gradient as a function of order, magnitude, and discharge, 1974; Rouy, Tourin, A
        /// viscosity solutions approach to shape-from-shading, 1992</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="discharge">Gets how many cells drain through each cell, including itself.</param>
        /// <param name="receiver">Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1:
        /// nowhere.</param>
        /// <param name="water">Gets the height of the water's surface, or of the land where it is dry.</param>
        /// <param name="riverDistance">Gets the distance to the nearest river or lake with an outflow, at most 64 cell
        /// sizes.</param>
        /// <param name="control">Replaces the random continents: below 0 is sea, 0.1 is well inland; finer noise is
        /// added. Its cell (i, j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="uplift">Replaces the random plates' borders: multiplies ranges; 0 to 1, or more. Its cell (i,
        /// j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="hardness">Factor of the rock's hardness: above 0; 1 is mean rock. Its cell (i, j) is the
        /// world's point (i, j) times mapSpacing.</param>
        /// <param name="rain">Factor of the water that slopes depend on: above 0; 1 is mean rain. Its cell (i, j) is
        /// the world's point (i, j) times mapSpacing.</param>
        /// <param name="ceiling">Heights of any land that rivers follow and the land stays below. Replaces plateau and
        /// the height of layers. Its cell (i, j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="mapSpacing">Distance between the points of these maps; a power of two. Cells, 8 to
        /// 1048576.</param>
        /// <param name="period">Size of continents and seas; a power of two. Cells, 1024 to 1048576.</param>
        /// <param name="plateSpacing">Size of the plates, between which ranges rise; a power of two. Cells, 2048 to
        /// 1048576.</param>
        /// <param name="baseLevel">Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea. -1
        /// to 1.</param>
        /// <param name="hills">Uplift of open country; it varies from place to place. 0 to 64.</param>
        /// <param name="ranges">Uplift where plates collide. 0 to 64.</param>
        /// <param name="plains">The least uplift of land. 0.0001 to 64.</param>
        /// <param name="coast">By what part coasts rise more slowly. 0 to 1.</param>
        /// <param name="beltSharpness">How sharp the plates' borders are; a large number makes narrow ranges. 0.5 to
        /// 16.</param>
        /// <param name="erodibility">K: slopes are uplift / K * area^-concavity. 0.001 to 1000.</param>
        /// <param name="concavity">m: how much gentler rivers are than brooks. 0.1 to 1.</param>
        /// <param name="talus">The steepest slope of rock of mean hardness. Slope, 0.05 to 8.</param>
        /// <param name="channelArea">Where fewer cells drain through a cell, slopes are straight. Cells, 0 to
        /// 4096.</param>
        /// <param name="crestArea">Where fewer cells drain through a cell, slopes are gentle: rounded crests. Cells, 1
        /// to 4096.</param>
        /// <param name="hardnessContrast">How much the rock's hardness varies from place to place. 0 to 4.</param>
        /// <param name="strataContrast">How much the hardness varies from layer to layer. 0 to 8.</param>
        /// <param name="strataThickness">Thickness of the layers. Cells, 1 to 4096.</param>
        /// <param name="strataArea">Rivers with more cells upstream cut through all layers alike. Cells, 1 to
        /// 1000000000.</param>
        /// <param name="dip">How much the layers rise and sink. Cells, 0 to 4096.</param>
        /// <param name="foldHeight">Height of folds, which run along belts. Cells, 0 to 4096.</param>
        /// <param name="foldFrequency">How close together the folds are. 0 to 16.</param>
        /// <param name="plateau">Height of a plateau over the sea; 0: none. Cells, 0 to 4096.</param>
        /// <param name="plateauRise">How much the plateau and the layers rise inland. Cells, 0 to 4096.</param>
        /// <param name="clearance">How far above the ceiling the land between rivers may stand. Cells, 0 to 4096.
        /// Counts only where ceiling is given.</param>
        /// <param name="incision">How far below the ceiling rivers lie whose discharge is far above strata_area. Cells,
        /// 0 to 4096. Counts only where ceiling is given.</param>
        /// <param name="valleyWidth">Half the width of the floodplain of a river with 2000 cells upstream. Cells, 0 to
        /// 16.</param>
        /// <param name="seaDepth">How fast the sea floor falls away from coasts. Cells, 0 to 100000.</param>
        /// <param name="riverDepth">Depth of a river with 2000 cells upstream. Cells, 0 to 16.</param>
        /// <param name="lakeDepth">Depth of lakes that rivers flow through, up to 31 cells wide; 0: none. Cells, 0 to
        /// 16.</param>
        /// <param name="smoothing">How much the finest level is smoothed. 0 to 1.</param>
        /// <param name="level">A cell is 2^level cells wide, as other lengths count them: the same land from farther
        /// away. 0 to 8.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Drainage(
            Heightmap map,
            ulong seed = 0,
            Heightmap discharge = null,
            Heightmap receiver = null,
            Heightmap water = null,
            Heightmap riverDistance = null,
            Heightmap control = null,
            Heightmap uplift = null,
            Heightmap hardness = null,
            Heightmap rain = null,
            Heightmap ceiling = null,
            int mapSpacing = 256,
            int period = 8192,
            int plateSpacing = 8192,
            float baseLevel = 0.04f,
            float hills = 0.5f,
            float ranges = 5,
            float plains = 0.3f,
            float coast = 0.7f,
            float beltSharpness = 7,
            float erodibility = 0.15f,
            float concavity = 0.35f,
            float talus = 1.1f,
            float channelArea = 20,
            float crestArea = 1,
            float hardnessContrast = 0.5f,
            float strataContrast = 0.8f,
            float strataThickness = 40,
            float strataArea = 3000,
            float dip = 150,
            float foldHeight = 0,
            float foldFrequency = 0.5f,
            float plateau = 0,
            float plateauRise = 0,
            float clearance = 20,
            float incision = 10,
            float valleyWidth = 2,
            float seaDepth = 400,
            float riverDepth = 0.01f,
            float lakeDepth = 0.5f,
            float smoothing = 0.2f,
            int level = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_drainage"))
            {
                call.Set("seed", seed, 0);
                call.Set("discharge", discharge);
                call.Set("receiver", receiver);
                call.Set("water", water);
                call.Set("river_distance", riverDistance);
                call.Set("control", control);
                call.Set("uplift", uplift);
                call.Set("hardness", hardness);
                call.Set("rain", rain);
                call.Set("ceiling", ceiling);
                call.Set("map_spacing", mapSpacing, 256);
                call.Set("period", period, 8192);
                call.Set("plate_spacing", plateSpacing, 8192);
                call.Set("base_level", baseLevel, 0.04f);
                call.Set("hills", hills, 0.5f);
                call.Set("ranges", ranges, 5);
                call.Set("plains", plains, 0.3f);
                call.Set("coast", coast, 0.7f);
                call.Set("belt_sharpness", beltSharpness, 7);
                call.Set("erodibility", erodibility, 0.15f);
                call.Set("concavity", concavity, 0.35f);
                call.Set("talus", talus, 1.1f);
                call.Set("channel_area", channelArea, 20);
                call.Set("crest_area", crestArea, 1);
                call.Set("hardness_contrast", hardnessContrast, 0.5f);
                call.Set("strata_contrast", strataContrast, 0.8f);
                call.Set("strata_thickness", strataThickness, 40);
                call.Set("strata_area", strataArea, 3000);
                call.Set("dip", dip, 150);
                call.Set("fold_height", foldHeight, 0);
                call.Set("fold_frequency", foldFrequency, 0.5f);
                call.Set("plateau", plateau, 0);
                call.Set("plateau_rise", plateauRise, 0);
                call.Set("clearance", clearance, 20);
                call.Set("incision", incision, 10);
                call.Set("valley_width", valleyWidth, 2);
                call.Set("sea_depth", seaDepth, 400);
                call.Set("river_depth", riverDepth, 0.01f);
                call.Set("lake_depth", lakeDepth, 0.5f);
                call.Set("smoothing", smoothing, 0.2f);
                call.Set("level", level, 0);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>The sum of many faults along random lines.</summary>
        /// <remarks>Voss: Random fractal forgeries, 1985; Krten: Generating realistic terrain, Dr. Dobb's Journal
        /// 1994</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="frameX">World column of the frame's first cell. Cells, -2^62 to 2^62.</param>
        /// <param name="frameY">World row of the frame's first cell. Cells, -2^62 to 2^62.</param>
        /// <param name="frameWidth">Width of the frame, over which the lines are scattered; 0: the map's own rectangle.
        /// Cells, 0 to 2^32 - 1.</param>
        /// <param name="frameHeight">Height of the frame; 0 if and only if frame_width is 0. Cells, 0 to 2^32 -
        /// 1.</param>
        /// <param name="count">Number of faults. 0 to 65536.</param>
        /// <param name="displacementFirst">Height of the first fault. Height, -1000000 to 1000000.</param>
        /// <param name="displacementLast">Height that the faults approach linearly: one after the last would have it.
        /// Height, -1000000 to 1000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="profile">Shape of a fault, across its line.</param>
        /// <param name="halfWidth">Half the width of a smooth profile. Cells, 0.5 to 65536. Counts only where profile
        /// is Sine or Cosine or Bell.</param>
        /// <param name="sampler">How random lines are drawn.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap FaultLines(
            Heightmap map,
            ulong seed = 0,
            long frameX = 0,
            long frameY = 0,
            uint frameWidth = 0,
            uint frameHeight = 0,
            int count = 256,
            float displacementFirst = 2,
            float displacementLast = 0.5f,
            float offset = 0,
            FaultLinesProfile profile = FaultLinesProfile.Step,
            float halfWidth = 16,
            FaultLinesSampler sampler = FaultLinesSampler.AngleOffset,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_fault_lines"))
            {
                call.Set("seed", seed, 0);
                call.Set("frame_x", frameX, 0);
                call.Set("frame_y", frameY, 0);
                call.Set("frame_width", frameWidth, 0);
                call.Set("frame_height", frameHeight, 0);
                call.Set("count", count, 256);
                call.Set("displacement_first", displacementFirst, 2);
                call.Set("displacement_last", displacementLast, 0.5f);
                call.Set("offset", offset, 0);
                call.Set("profile", (long)profile, (long)FaultLinesProfile.Step);
                call.Set("half_width", halfWidth, 16);
                call.Set("sampler", (long)sampler, (long)FaultLinesSampler.AngleOffset);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>Midpoint displacement between heights that are given.</summary>
        /// <remarks>Belhadj and Audibert, 2005; Gortler et al., The Lumigraph, 1996</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="constraints">Heights that the land keeps; cells with NaN are free.</param>
        /// <param name="mode">How coarse levels learn of the constraints.</param>
        /// <param name="spacing">Distance between the coarsest level's points; a power of two. Cells, 1 to
        /// 1073741824.</param>
        /// <param name="amplitude">The coarsest level's displacements are random within plus or minus this. Height, 0
        /// to 1000000000.</param>
        /// <param name="gain">Factor of the displacements from level to level: 2^-H; rougher towards 1. 0 to 1.</param>
        /// <param name="relaxation">How many times each level is smoothed before it is displaced; 0 leaves creases. 0
        /// to 64.</param>
        /// <param name="offset">Mean height of the land where no constraint is near. Height, -1000000000 to
        /// 1000000000.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Midpoint(
            Heightmap map,
            ulong seed = 0,
            Heightmap constraints = null,
            MidpointMode mode = MidpointMode.PullPush,
            int spacing = 128,
            float amplitude = 85,
            float gain = 0.5f,
            int relaxation = 2,
            float offset = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_midpoint"))
            {
                call.Set("seed", seed, 0);
                call.Set("constraints", constraints);
                call.Set("mode", (long)mode, (long)MidpointMode.PullPush);
                call.Set("spacing", spacing, 128);
                call.Set("amplitude", amplitude, 85);
                call.Set("gain", gain, 0.5f);
                call.Set("relaxation", relaxation, 2);
                call.Set("offset", offset, 0);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>Octaves of gradient, simplex or value noise: fBm, ridged, billow; warped.</summary>
        /// <remarks>Perlin, Improving Noise, SIGGRAPH 2002; Ebert et al., Texturing and Modeling, 2002</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="basis">The kind of noise in each octave, and its lattice.</param>
        /// <param name="fractal">How octaves are summed.</param>
        /// <param name="period">Wavelength of the first octave: the size of its lattice cells. Cells, 0.0009765625 to
        /// 16777216.</param>
        /// <param name="octaves">How many octaves; those with a wavelength below 2 cells are left out. 1 to 32.</param>
        /// <param name="lacunarity">Factor of the frequency from octave to octave. 1 to 16.</param>
        /// <param name="gain">Factor of the amplitude from octave to octave. 0 to 2.</param>
        /// <param name="amplitude">Height of the first octave. Height, -1000000000 to 1000000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="feedback">How far down from the crests RIDGED has detail. 0 to 100. Counts only where fractal
        /// is Ridged.</param>
        /// <param name="warpAmplitude">Domain warp: how far its first octave moves a position; 0: no warp. Cells, 0 to
        /// 65536.</param>
        /// <param name="warpPeriod">Domain warp: wavelength of its first octave. Cells, 0.0009765625 to
        /// 16777216.</param>
        /// <param name="warpOctaves">Domain warp: how many octaves, each with half the wavelength and half the
        /// amplitude. 1 to 32.</param>
        /// <param name="repeatWidth">The world repeats after so many cells in x; 0: never. Cells, 0 to 2^32 -
        /// 1.</param>
        /// <param name="repeatHeight">The world repeats after so many cells in y; 0: never. Cells, 0 to 2^32 -
        /// 1.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Noise(
            Heightmap map,
            ulong seed = 0,
            NoiseBasis basis = NoiseBasis.Gradient,
            NoiseFractal fractal = NoiseFractal.Fbm,
            float period = 100,
            int octaves = 8,
            float lacunarity = 2,
            float gain = 0.5f,
            float amplitude = 44,
            float offset = 0,
            float feedback = 2,
            float warpAmplitude = 0,
            float warpPeriod = 200,
            int warpOctaves = 2,
            uint repeatWidth = 0,
            uint repeatHeight = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_noise"))
            {
                call.Set("seed", seed, 0);
                call.Set("basis", (long)basis, (long)NoiseBasis.Gradient);
                call.Set("fractal", (long)fractal, (long)NoiseFractal.Fbm);
                call.Set("period", period, 100);
                call.Set("octaves", octaves, 8);
                call.Set("lacunarity", lacunarity, 2);
                call.Set("gain", gain, 0.5f);
                call.Set("amplitude", amplitude, 44);
                call.Set("offset", offset, 0);
                call.Set("feedback", feedback, 2);
                call.Set("warp_amplitude", warpAmplitude, 0);
                call.Set("warp_period", warpPeriod, 200);
                call.Set("warp_octaves", warpOctaves, 2);
                call.Set("repeat_width", repeatWidth, 0);
                call.Set("repeat_height", repeatHeight, 0);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>One hill around a place of the world, for islands and masks.</summary>
        /// <param name="map">The map that is written.</param>
        /// <param name="centreX">The middle of the hill in x, a world cell. Cells, -2^62 to 2^62.</param>
        /// <param name="centreY">The middle of the hill in y. Cells, -2^62 to 2^62.</param>
        /// <param name="radius">Where the hill ends: farther away it is as high as offset. Cells, 1 to
        /// 16777216.</param>
        /// <param name="inner">Radius of the flat top; must be below radius. Cells, 0 to 16777216.</param>
        /// <param name="metric">What the hill looks like from above: a circle, a square, a square on its corner.
        /// Euclidean, Chebyshev or Manhattan.</param>
        /// <param name="curve">What it looks like from the side.</param>
        /// <param name="amplitude">How high the hill is. Height, -1000000000 to 1000000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Radial(
            Heightmap map,
            long centreX = 256,
            long centreY = 256,
            float radius = 256,
            float inner = 0,
            Metric metric = Metric.Euclidean,
            RadialCurve curve = RadialCurve.Smooth,
            float amplitude = 96,
            float offset = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_radial"))
            {
                call.Set("centre_x", centreX, 256);
                call.Set("centre_y", centreY, 256);
                call.Set("radius", radius, 256);
                call.Set("inner", inner, 0);
                call.Set("metric", (long)metric, (long)Metric.Euclidean);
                call.Set("curve", (long)curve, (long)RadialCurve.Smooth);
                call.Set("amplitude", amplitude, 96);
                call.Set("offset", offset, 0);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>Crests of mountains as lines, with branches, that fall from peaks to a plain.</summary>
        /// <remarks>Belhadj and Audibert: Modeling landscapes with ridges and rivers, GRAPHITE 2005</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="frameX">World column of the frame's first cell. Cells, -2^62 to 2^62. Counts only where peaks
        /// is Frame.</param>
        /// <param name="frameY">World row of the frame's first cell. Cells, -2^62 to 2^62. Counts only where peaks is
        /// Frame.</param>
        /// <param name="constraints">Gets the ridges' heights, and NaN between them.</param>
        /// <param name="frameWidth">Width of the frame, in which all ridges lie; 0: the map's own rectangle. Cells, 0
        /// to 268435456. Counts only where peaks is Frame.</param>
        /// <param name="frameHeight">Height of the frame; 0 if and only if frame_width is 0. Cells, 0 to 268435456.
        /// Counts only where peaks is Frame.</param>
        /// <param name="spacing">Mean distance between peaks: one peak for each square of this side. Cells, 8 to
        /// 1000000.</param>
        /// <param name="amplitude">Height of the highest peaks above offset. Height, 0 to 1000000000.</param>
        /// <param name="variation">The lowest peaks are lower than the highest by this part of amplitude. 0 to
        /// 1.</param>
        /// <param name="offset">Height of the plain. Height, -1000000000 to 1000000000.</param>
        /// <param name="least">Ridges end where they rise less than this above the plain. Height, 0.001 to
        /// 1000000000.</param>
        /// <param name="length">Standard deviation of a main ridge's profile: after this length 61 percent of its
        /// height are left. Cells, 1 to 16384.</param>
        /// <param name="depth">Main ridges alone, with branches, or with branches of branches. 0 to 2.</param>
        /// <param name="branchSpacing">Distance along a ridge between two pairs of branches. Cells, 1 to 65536.</param>
        /// <param name="branchLength">A branch's length as a part of its parent's length. 0.01 to 1.</param>
        /// <param name="mode">How ridges turn.</param>
        /// <param name="turnSpacing">Distance along a ridge between two turns. Cells, 1 to 65536.</param>
        /// <param name="turn">The largest turn. Degrees, 0 to 90.</param>
        /// <param name="peaks">Where peaks are.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Ridges(
            Heightmap map,
            ulong seed = 0,
            long frameX = 0,
            long frameY = 0,
            Heightmap constraints = null,
            int frameWidth = 0,
            int frameHeight = 0,
            float spacing = 256,
            float amplitude = 100,
            float variation = 0.4f,
            float offset = 0,
            float least = 1,
            float length = 128,
            int depth = 1,
            int branchSpacing = 20,
            float branchLength = 0.5f,
            RidgesMode mode = RidgesMode.Alternating,
            int turnSpacing = 8,
            float turn = 30,
            RidgesPeaks peaks = RidgesPeaks.Frame,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_ridges"))
            {
                call.Set("seed", seed, 0);
                call.Set("frame_x", frameX, 0);
                call.Set("frame_y", frameY, 0);
                call.Set("constraints", constraints);
                call.Set("frame_width", frameWidth, 0);
                call.Set("frame_height", frameHeight, 0);
                call.Set("spacing", spacing, 256);
                call.Set("amplitude", amplitude, 100);
                call.Set("variation", variation, 0.4f);
                call.Set("offset", offset, 0);
                call.Set("least", least, 1);
                call.Set("length", length, 128);
                call.Set("depth", depth, 1);
                call.Set("branch_spacing", branchSpacing, 20);
                call.Set("branch_length", branchLength, 0.5f);
                call.Set("mode", (long)mode, (long)RidgesMode.Alternating);
                call.Set("turn_spacing", turnSpacing, 8);
                call.Set("turn", turn, 30);
                call.Set("peaks", (long)peaks, (long)RidgesPeaks.Frame);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>Spectral synthesis: random waves whose power falls with frequency.</summary>
        /// <remarks>Saupe in Peitgen and Saupe (editors), The Science of Fractal Images, 1988</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="repeat">The pattern repeats after so many cells in x and y; a power of two. Cells, 32 to
        /// 4096.</param>
        /// <param name="period">Wavelength of the largest features: waves longer than this are no higher. Cells, 2 to
        /// 1000000.</param>
        /// <param name="beta">How fast power falls with frequency: 2 + 2 H, smoother towards 4. 0 to 8.</param>
        /// <param name="amplitude">Standard deviation of the heights of a whole pattern. Height, -1000000000 to
        /// 1000000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Spectral(
            Heightmap map,
            ulong seed = 0,
            int repeat = 512,
            float period = 512,
            float beta = 3.8f,
            float amplitude = 12,
            float offset = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_spectral"))
            {
                call.Set("seed", seed, 0);
                call.Set("repeat", repeat, 512);
                call.Set("period", period, 512);
                call.Set("beta", beta, 3.8f);
                call.Set("amplitude", amplitude, 12);
                call.Set("offset", offset, 0);
                call.Run(context, map);
            }
            return map;
        }

        /// <summary>Hills, ridges or cells from the distances to the nearest of scattered points.</summary>
        /// <remarks>Worley, A Cellular Texture Basis Function, SIGGRAPH 1996; Olsen, Realtime Procedural Terrain
        /// Generation, 2004</remarks>
        /// <param name="map">The map that is written.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="id">Gets the random number of the nearest point, at least 0 and below 1.</param>
        /// <param name="spacing">Mean distance between points: one point for each square of this side. Cells, 2 to
        /// 65536.</param>
        /// <param name="jitter">How far points may lie from the middle of their square; 0 is a regular lattice. 0 to
        /// 1.</param>
        /// <param name="metric">How distance is measured.</param>
        /// <param name="c1">Weight of the distance to the nearest point. -16 to 16.</param>
        /// <param name="c2">Weight of the distance to the second nearest point. -16 to 16.</param>
        /// <param name="c3">Weight of the distance to the third nearest point. -16 to 16.</param>
        /// <param name="linear">Factor of the weighted sum in the height. -16 to 16.</param>
        /// <param name="quadratic">Factor of the weighted sum's square in the height. -16 to 16.</param>
        /// <param name="variation">By what part, at most, a point's cell is lowered; leaves walls unless c1 = -c2 and
        /// c3 = 0. 0 to 1.</param>
        /// <param name="amplitude">Scale of the heights. Height, -1000000000 to 1000000000.</param>
        /// <param name="offset">Added to every height. Height, -1000000000 to 1000000000.</param>
        /// <param name="repeatWidth">The world repeats after so many cells in x; 0: never. Cells, 0 to 2^32 -
        /// 1.</param>
        /// <param name="repeatHeight">The world repeats after so many cells in y; 0: never. Cells, 0 to 2^32 -
        /// 1.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Voronoi(
            Heightmap map,
            ulong seed = 0,
            Heightmap id = null,
            int spacing = 128,
            float jitter = 1,
            Metric metric = Metric.Euclidean,
            float c1 = -1,
            float c2 = 1,
            float c3 = 0,
            float linear = 1,
            float quadratic = 0,
            float variation = 0,
            float amplitude = 85,
            float offset = 0,
            uint repeatWidth = 0,
            uint repeatHeight = 0,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("generate_voronoi"))
            {
                call.Set("seed", seed, 0);
                call.Set("id", id);
                call.Set("spacing", spacing, 128);
                call.Set("jitter", jitter, 1);
                call.Set("metric", (long)metric, (long)Metric.Euclidean);
                call.Set("c1", c1, -1);
                call.Set("c2", c2, 1);
                call.Set("c3", c3, 0);
                call.Set("linear", linear, 1);
                call.Set("quadratic", quadratic, 0);
                call.Set("variation", variation, 0);
                call.Set("amplitude", amplitude, 85);
                call.Set("offset", offset, 0);
                call.Set("repeat_width", repeatWidth, 0);
                call.Set("repeat_height", repeatHeight, 0);
                call.Run(context, map);
            }
            return map;
        }
    }

    /// <summary>Wears land. Each changes the map.</summary>
    public static class Erode
    {
        /// <summary>Canyons down slopes: shallow heads, deeper and wider downhill, fading at the foot.</summary>
        /// <remarks>ckempke, Implementing erosion</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="threshold">The catchment area at which a canyon begins. Cells, 1 to 1000000000.</param>
        /// <param name="depth">How deep a canyon is on gentle slopes, where its catchment area is twice the threshold.
        /// Height, 0 to 1000000.</param>
        /// <param name="width">Half the width of a canyon's floor, at its head. Cells, 0 to 64.</param>
        /// <param name="bank">The slope of the walls. Slope, 0.001 to 100.</param>
        /// <param name="fall">The least slope of a canyon's floor. Slope, 0 to 10.</param>
        /// <param name="toe">Land less steep than this has no canyons; land twice as steep has them in full depth.
        /// Slope, 0 to 100.</param>
        /// <param name="gentle">On land as steep as this a canyon has half its depth. Slope, 0.001 to 1000000.</param>
        /// <param name="reach">Cells farther than this from the middle line of a canyon don't change. Cells, 1 to
        /// 512.</param>
        /// <param name="method">Where a cell's water goes: to the steepest neighbour, or to a random lower one. Counts
        /// only where discharge is not given.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="softness">Multiplies the depth at each cell, 0 (hard rock) to 1 (soft rock); 1 without
        /// it.</param>
        /// <param name="discharge">Discharge of known rivers, in cells; without this map it is computed.</param>
        /// <param name="floors">Gets the catchment area, in cells, of the canyon whose floor covers the cell; 0
        /// elsewhere.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void CanyonsDraining(
            Heightmap map,
            float threshold = 300,
            float depth = 6,
            float width = 0.4f,
            float bank = 1.2f,
            float fall = 0.004f,
            float toe = 0.03f,
            float gentle = 1,
            int reach = 48,
            CanyonsDrainingMethod method = CanyonsDrainingMethod.Rho8,
            Rim rim = Rim.Open,
            ulong seed = 0,
            Heightmap softness = null,
            Heightmap discharge = null,
            Heightmap floors = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_canyons_draining"))
            {
                call.Set("threshold", threshold, 300);
                call.Set("depth", depth, 6);
                call.Set("width", width, 0.4f);
                call.Set("bank", bank, 1.2f);
                call.Set("fall", fall, 0.004f);
                call.Set("toe", toe, 0.03f);
                call.Set("gentle", gentle, 1);
                call.Set("reach", reach, 48);
                call.Set("method", (long)method, (long)CanyonsDrainingMethod.Rho8);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("seed", seed, 0);
                call.Set("softness", softness);
                call.Set("discharge", discharge);
                call.Set("floors", floors);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>A net of canyons that cuts land into mesas, the longer the deeper.</summary>
        /// <remarks>ckempke, Implementing erosion</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="spacing">The mean distance between the longest canyons. Cells, 8 to 8192.</param>
        /// <param name="levels">How many levels of canyons there are, each half as long as the one before. 1 to
        /// 5.</param>
        /// <param name="share">The share of mesas that shorter canyons cut further. 0 to 1.</param>
        /// <param name="blind">The share of shorter canyons that are dead ends, so that the land stays connected. 0 to
        /// 1.</param>
        /// <param name="depth">How deep the longest canyons are; those of the next level have 0.71 of that depth.
        /// Height, 0 to 1000000.</param>
        /// <param name="width">Half the width of the longest canyons' floors; the next levels shrink like depth. Cells,
        /// 0 to 256.</param>
        /// <param name="vary">How much depths and widths differ from canyon to canyon. 0 to 1.</param>
        /// <param name="bank">The slope of the walls. Slope, 0.001 to 100.</param>
        /// <param name="reach">Cells farther than this from the middle line of a canyon don't change. Cells, 1 to
        /// 512.</param>
        /// <param name="jitter">How irregular the net is. 0 to 1.</param>
        /// <param name="meander">How much the canyons wind. 0 to 0.5.</param>
        /// <param name="floors">Gets the level of the canyon whose floor covers the cell, 1 for the shortest; 0
        /// elsewhere.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void CanyonsSeparating(
            Heightmap map,
            ulong seed = 0,
            int spacing = 192,
            int levels = 3,
            float share = 0.6f,
            float blind = 0,
            float depth = 24,
            float width = 3,
            float vary = 0.4f,
            float bank = 1.2f,
            int reach = 48,
            float jitter = 0.8f,
            float meander = 0.18f,
            Heightmap floors = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_canyons_separating"))
            {
                call.Set("seed", seed, 0);
                call.Set("spacing", spacing, 192);
                call.Set("levels", levels, 3);
                call.Set("share", share, 0.6f);
                call.Set("blind", blind, 0);
                call.Set("depth", depth, 24);
                call.Set("width", width, 3);
                call.Set("vary", vary, 0.4f);
                call.Set("bank", bank, 1.2f);
                call.Set("reach", reach, 48);
                call.Set("jitter", jitter, 0.8f);
                call.Set("meander", meander, 0.18f);
                call.Set("floors", floors);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Waves cut the land back: beaches where rock is soft, and cliffs behind them.</summary>
        /// <remarks>Dijkstra, A note on two problems in connexion with graphs, 1959</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="hardness">How hard the rock is, 0 to 1; without it, noise of `period` and `seed`.</param>
        /// <param name="sea">Cells at or below this height are sea. Height, -1000000000 to 1000000000.</param>
        /// <param name="reach">How far from the sea waves cut the softest rock. Cells, 2 to 255.</param>
        /// <param name="shelter">Waves come from where no land is nearer than this: inlets and lakes are spared. Cells,
        /// 0 to 64.</param>
        /// <param name="beachWidth">How wide a beach is in the softest rock. Cells, 0 to 255.</param>
        /// <param name="beachSlope">The slope of a beach in the softest rock. Slope, 1.5258789e-05 to 100.</param>
        /// <param name="cliffSlope">The slope of a cliff's foot in the softest rock; it gets steeper upwards. Slope,
        /// 1.5258789e-05 to 100.</param>
        /// <param name="contrast">How many times as much of the hardest rock withstands as of the softest. 1 to
        /// 64.</param>
        /// <param name="period">How far it is from soft rock to soft rock, where noise says it. Cells, 1 to 65536.
        /// Counts only where hardness is not given.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Coast(
            Heightmap map,
            ulong seed = 0,
            Heightmap mask = null,
            Heightmap hardness = null,
            float sea = 0,
            int reach = 32,
            int shelter = 12,
            float beachWidth = 14,
            float beachSlope = 0.03f,
            float cliffSlope = 1,
            float contrast = 10,
            int period = 64,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_coast"))
            {
                call.Set("seed", seed, 0);
                call.Set("mask", mask);
                call.Set("hardness", hardness);
                call.Set("sea", sea, 0);
                call.Set("reach", reach, 32);
                call.Set("shelter", shelter, 12);
                call.Set("beach_width", beachWidth, 14);
                call.Set("beach_slope", beachSlope, 0.03f);
                call.Set("cliff_slope", cliffSlope, 1);
                call.Set("contrast", contrast, 10);
                call.Set("period", period, 64);
                call.Run(context, map);
            }
        }

        /// <summary>Valleys whose rivers reach the sea, carved into any map; without end.</summary>
        /// <remarks>Flint, Stream gradient as a function of order, magnitude, and discharge, 1974; Rouy, Tourin, A
        /// viscosity solutions approach to shape-from-shading, 1992</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="discharge">Gets how many cells drain through each cell, including itself.</param>
        /// <param name="receiver">Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1:
        /// nowhere.</param>
        /// <param name="water">Gets the height of the water's surface, or of the land where it is dry.</param>
        /// <param name="riverDistance">Gets the distance to the nearest river or lake with an outflow, at most 64 cell
        /// sizes.</param>
        /// <param name="control">Where sea is, in place of the ceiling: below 0 is sea, 0.1 is well inland; finer noise
        /// is added. Its cell (i, j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="uplift">Replaces the random plates' borders: multiplies ranges; 0 to 1, or more. Its cell (i,
        /// j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="hardness">Factor of the rock's hardness: above 0; 1 is mean rock. Its cell (i, j) is the
        /// world's point (i, j) times mapSpacing.</param>
        /// <param name="rain">Factor of the water that slopes depend on: above 0; 1 is mean rain. Its cell (i, j) is
        /// the world's point (i, j) times mapSpacing.</param>
        /// <param name="ceiling">The map's own heights as they look from far away; without it, rivers ignore the map.
        /// Its cell (i, j) is the world's point (i, j) times mapSpacing.</param>
        /// <param name="mapSpacing">Distance between the points of these maps; a power of two. Cells, 8 to
        /// 1048576.</param>
        /// <param name="period">Size of continents and seas; a power of two. Cells, 1024 to 1048576.</param>
        /// <param name="plateSpacing">Size of the plates, between which ranges rise; a power of two. Cells, 2048 to
        /// 1048576.</param>
        /// <param name="baseLevel">Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea. -1
        /// to 1.</param>
        /// <param name="hills">Uplift of open country; it varies from place to place. 0 to 64.</param>
        /// <param name="ranges">Uplift where plates collide. 0 to 64.</param>
        /// <param name="plains">The least uplift of land. 0.0001 to 64.</param>
        /// <param name="coast">By what part coasts rise more slowly. 0 to 1.</param>
        /// <param name="beltSharpness">How sharp the plates' borders are; a large number makes narrow ranges. 0.5 to
        /// 16.</param>
        /// <param name="erodibility">K: slopes are uplift / K * area^-concavity. 0.001 to 1000.</param>
        /// <param name="concavity">m: how much gentler rivers are than brooks. 0.1 to 1.</param>
        /// <param name="talus">The steepest slope of rock of mean hardness. Slope, 0.05 to 8.</param>
        /// <param name="channelArea">Where fewer cells drain through a cell, slopes are straight. Cells, 0 to
        /// 4096.</param>
        /// <param name="crestArea">Where fewer cells drain through a cell, slopes are gentle: rounded crests. Cells, 1
        /// to 4096.</param>
        /// <param name="hardnessContrast">How much the rock's hardness varies from place to place. 0 to 4.</param>
        /// <param name="strataContrast">How much the hardness varies from layer to layer. 0 to 8.</param>
        /// <param name="strataThickness">Thickness of the layers. Cells, 1 to 4096.</param>
        /// <param name="strataArea">Rivers with more cells upstream cut through all layers alike. Cells, 1 to
        /// 1000000000.</param>
        /// <param name="dip">How much the layers rise and sink. Cells, 0 to 4096.</param>
        /// <param name="foldHeight">Height of folds, which run along belts. Cells, 0 to 4096.</param>
        /// <param name="foldFrequency">How close together the folds are. 0 to 16.</param>
        /// <param name="plateau">Height of a plateau over the sea; 0: none. Cells, 0 to 4096.</param>
        /// <param name="plateauRise">How much the plateau and the layers rise inland. Cells, 0 to 4096.</param>
        /// <param name="clearance">How far above the ceiling the land between rivers may stand. Cells, 0 to 4096.
        /// Counts only where ceiling is given.</param>
        /// <param name="incision">How far below the ceiling rivers lie whose discharge is far above strata_area. Cells,
        /// 0 to 4096. Counts only where ceiling is given.</param>
        /// <param name="valleyWidth">Half the width of the floodplain of a river with 2000 cells upstream. Cells, 0 to
        /// 16.</param>
        /// <param name="seaDepth">How fast the sea floor falls away from coasts. Cells, 0 to 100000.</param>
        /// <param name="riverDepth">Depth of a river with 2000 cells upstream. Cells, 0 to 16.</param>
        /// <param name="lakeDepth">Depth of lakes that rivers flow through, up to 31 cells wide; 0: none. Cells, 0 to
        /// 16.</param>
        /// <param name="smoothing">How much the finest level is smoothed. 0 to 1.</param>
        /// <param name="level">A cell is 2^level cells wide, as other lengths count them: the same land from farther
        /// away. 0 to 8.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Drainage(
            Heightmap map,
            ulong seed = 0,
            Heightmap discharge = null,
            Heightmap receiver = null,
            Heightmap water = null,
            Heightmap riverDistance = null,
            Heightmap control = null,
            Heightmap uplift = null,
            Heightmap hardness = null,
            Heightmap rain = null,
            Heightmap ceiling = null,
            int mapSpacing = 64,
            int period = 8192,
            int plateSpacing = 8192,
            float baseLevel = 0.04f,
            float hills = 30,
            float ranges = 0,
            float plains = 10,
            float coast = 0,
            float beltSharpness = 7,
            float erodibility = 0.15f,
            float concavity = 0.35f,
            float talus = 1.1f,
            float channelArea = 20,
            float crestArea = 1,
            float hardnessContrast = 0.5f,
            float strataContrast = 0,
            float strataThickness = 40,
            float strataArea = 3000,
            float dip = 0,
            float foldHeight = 0,
            float foldFrequency = 0.5f,
            float plateau = 0,
            float plateauRise = 0,
            float clearance = 20,
            float incision = 10,
            float valleyWidth = 2,
            float seaDepth = 0,
            float riverDepth = 0,
            float lakeDepth = 0,
            float smoothing = 0.2f,
            int level = 0,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_drainage"))
            {
                call.Set("seed", seed, 0);
                call.Set("discharge", discharge);
                call.Set("receiver", receiver);
                call.Set("water", water);
                call.Set("river_distance", riverDistance);
                call.Set("control", control);
                call.Set("uplift", uplift);
                call.Set("hardness", hardness);
                call.Set("rain", rain);
                call.Set("ceiling", ceiling);
                call.Set("map_spacing", mapSpacing, 64);
                call.Set("period", period, 8192);
                call.Set("plate_spacing", plateSpacing, 8192);
                call.Set("base_level", baseLevel, 0.04f);
                call.Set("hills", hills, 30);
                call.Set("ranges", ranges, 0);
                call.Set("plains", plains, 10);
                call.Set("coast", coast, 0);
                call.Set("belt_sharpness", beltSharpness, 7);
                call.Set("erodibility", erodibility, 0.15f);
                call.Set("concavity", concavity, 0.35f);
                call.Set("talus", talus, 1.1f);
                call.Set("channel_area", channelArea, 20);
                call.Set("crest_area", crestArea, 1);
                call.Set("hardness_contrast", hardnessContrast, 0.5f);
                call.Set("strata_contrast", strataContrast, 0);
                call.Set("strata_thickness", strataThickness, 40);
                call.Set("strata_area", strataArea, 3000);
                call.Set("dip", dip, 0);
                call.Set("fold_height", foldHeight, 0);
                call.Set("fold_frequency", foldFrequency, 0.5f);
                call.Set("plateau", plateau, 0);
                call.Set("plateau_rise", plateauRise, 0);
                call.Set("clearance", clearance, 20);
                call.Set("incision", incision, 10);
                call.Set("valley_width", valleyWidth, 2);
                call.Set("sea_depth", seaDepth, 0);
                call.Set("river_depth", riverDepth, 0);
                call.Set("lake_depth", lakeDepth, 0);
                call.Set("smoothing", smoothing, 0.2f);
                call.Set("level", level, 0);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Smears heights along rows and columns, as water washes them down.</summary>
        /// <remarks>Krten, 1994; Shankel, Game Programming Gems, 2000</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="erosion">The share of each height that comes from the cell before: 0 changes nothing. 0 to
        /// 1.</param>
        /// <param name="mode">What a cell takes over from the cell before: all heights, or falls alone.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Fir(
            Heightmap map,
            float erosion = 0.4f,
            FirMode mode = FirMode.Smear,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_fir"))
            {
                call.Set("erosion", erosion, 0.4f);
                call.Set("mode", (long)mode, (long)FirMode.Smear);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Levels gentle slopes and leaves steep ones: flats and cliffs.</summary>
        /// <remarks>Olsen, Realtime procedural terrain generation, 2004</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="iterations">How many times each slope is levelled. 0 to 100000.</param>
        /// <param name="talus">The steepest slope that is levelled. Slope, 0 to 100.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Flatten(
            Heightmap map,
            int iterations = 128,
            float talus = 0.75f,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_flatten"))
            {
                call.Set("iterations", iterations, 128);
                call.Set("talus", talus, 0.75f);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Gullies that run down the slopes, with smaller ones in their sides; no water needed.</summary>
        /// <remarks>Tricard et al., Procedural Phasor Noise, SIGGRAPH 2019; Johansen, Fast and Gorgeous Erosion Filter,
        /// 2026</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="riverDistance">The distance to the nearest river, as analyze_distance measures it: river beds
        /// are left alone.</param>
        /// <param name="size">The distance between neighbouring gullies of the largest size. Cells, 0.0009765625 to
        /// 4096.</param>
        /// <param name="octaves">How many sizes of gullies there are, each half the one before; none below 3 cells. 1
        /// to 8.</param>
        /// <param name="gain">Depth of each octave as a part of the depth of the octave before. 0 to 1.</param>
        /// <param name="depth">Depth of the largest gullies, as a part of the land's rise over their size. 0 to
        /// 4.</param>
        /// <param name="branching">How far small gullies turn on the flanks of larger ones: by up to 2 atan(branching).
        /// 0 to 1.</param>
        /// <param name="floor">Nothing changes up to this distance from a river. Cells, 0 to 65536.</param>
        /// <param name="bank">The distance beyond the floor over which gullies reach their full depth. Cells, 0.5 to
        /// 65536.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Gullies(
            Heightmap map,
            ulong seed = 0,
            Heightmap mask = null,
            Heightmap riverDistance = null,
            float size = 24,
            int octaves = 4,
            float gain = 0.4f,
            float depth = 0.4f,
            float branching = 0.5f,
            float floor = 1,
            float bank = 6,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_gullies"))
            {
                call.Set("seed", seed, 0);
                call.Set("mask", mask);
                call.Set("river_distance", riverDistance);
                call.Set("size", size, 24);
                call.Set("octaves", octaves, 4);
                call.Set("gain", gain, 0.4f);
                call.Set("depth", depth, 0.4f);
                call.Set("branching", branching, 0.5f);
                call.Set("floor", floor, 1);
                call.Set("bank", bank, 6);
                call.Run(context, map);
            }
        }

        /// <summary>Rain runs downhill, carves valleys, and leaves the ground where slopes end.</summary>
        /// <remarks>Kirkby, 1971; Smith and Bretherton, 1972; Quinn and others, 1991</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="iterations">How many times rain falls, flows and evaporates. 0 to 100000.</param>
        /// <param name="rain">Depth of the rain that falls in an iteration. Cell sizes, 0 to 100.</param>
        /// <param name="evaporation">The part of the water that evaporates in an iteration; valleys are about 1 /
        /// evaporation long. 0 to 1.</param>
        /// <param name="capacity">How much ground the water carries for its flow and slope: how fast valleys deepen. 0
        /// to 1000.</param>
        /// <param name="eroded">Gets how much lower each cell is afterwards.</param>
        /// <param name="deposited">Gets how much higher each cell is afterwards.</param>
        /// <param name="water">Gets the depth of the water after the last iteration.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Hydraulic(
            Heightmap map,
            int iterations = 200,
            float rain = 0.0005f,
            float evaporation = 0.005f,
            float capacity = 10,
            Heightmap eroded = null,
            Heightmap deposited = null,
            Heightmap water = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_hydraulic"))
            {
                call.Set("iterations", iterations, 200);
                call.Set("rain", rain, 0.0005f);
                call.Set("evaporation", evaporation, 0.005f);
                call.Set("capacity", capacity, 10);
                call.Set("eroded", eroded);
                call.Set("deposited", deposited);
                call.Set("water", water);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Rain dissolves ground, runs downhill, and leaves the ground where it dries.</summary>
        /// <remarks>Benes and Forsbach, WSCG 2002; Olsen, 2004</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="iterations">How many times rain falls, flows and evaporates. 0 to 100000.</param>
        /// <param name="rain">Depth of the rain that falls in an iteration. Cell sizes, 0 to 100.</param>
        /// <param name="solubility">How much ground the water dissolves, as a part of its own depth. 0 to 1.</param>
        /// <param name="evaporation">The part of the water that evaporates in an iteration. 0 to 1.</param>
        /// <param name="capacity">How much ground the water can hold, as a part of its own depth. 0 to 1000.</param>
        /// <param name="mode">Where water flows: to the lowest of four neighbours, or to all lower ones of
        /// eight.</param>
        /// <param name="eroded">Gets how much lower each cell is afterwards.</param>
        /// <param name="deposited">Gets how much higher each cell is afterwards.</param>
        /// <param name="water">Gets the depth of the water after the last iteration.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Rain(
            Heightmap map,
            int iterations = 100,
            float rain = 0.32f,
            float solubility = 0.03f,
            float evaporation = 0.5f,
            float capacity = 0.03f,
            RainMode mode = RainMode.Reference,
            Heightmap eroded = null,
            Heightmap deposited = null,
            Heightmap water = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_rain"))
            {
                call.Set("iterations", iterations, 100);
                call.Set("rain", rain, 0.32f);
                call.Set("solubility", solubility, 0.03f);
                call.Set("evaporation", evaporation, 0.5f);
                call.Set("capacity", capacity, 0.03f);
                call.Set("mode", (long)mode, (long)RainMode.Reference);
                call.Set("eroded", eroded);
                call.Set("deposited", deposited);
                call.Set("water", water);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Cuts river beds where water runs together, and valleys around them.</summary>
        /// <remarks>Belhadj and Audibert, 2005; Leopold and Maddock, 1953; Cordonnier, Bovy and Braun, 2019</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="threshold">The catchment area at which a river begins. Cells, 1 to 1000000000.</param>
        /// <param name="depth">How deep a river's bed is below the ground, at its head. Height, 0 to 10000.</param>
        /// <param name="width">Half the width of a river's bed, at its head. Cells, 0 to 64.</param>
        /// <param name="bank">The slope of the valley on either side of a river. Slope, 0.001 to 100.</param>
        /// <param name="fall">The least slope of a river's bed. Slope, 0 to 10.</param>
        /// <param name="reach">Valleys end at this distance from the river; close to it their banks steepen. Cells, 1
        /// to 256.</param>
        /// <param name="method">Where a cell's water goes: to the steepest neighbour, to a random lower one, or on with
        /// its velocity. Counts only where discharge is not given.</param>
        /// <param name="friction">The part of its velocity that the water loses from cell to cell. 0 to 1. Counts only
        /// where method is Velocity.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="rain">How much rain falls on each cell; 1 without it. Counts only where discharge is not
        /// given.</param>
        /// <param name="discharge">Discharge of known rivers, in cells; without this map it is computed.</param>
        /// <param name="rivers">Gets the catchment area, in cells, of the river that covers the cell; 0 on
        /// land.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Rivers(
            Heightmap map,
            float threshold = 400,
            float depth = 2,
            float width = 0.25f,
            float bank = 1.5f,
            float fall = 0.001f,
            int reach = 16,
            RiversMethod method = RiversMethod.Rho8,
            float friction = 0.2f,
            Rim rim = Rim.Open,
            ulong seed = 0,
            Heightmap rain = null,
            Heightmap discharge = null,
            Heightmap rivers = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_rivers"))
            {
                call.Set("threshold", threshold, 400);
                call.Set("depth", depth, 2);
                call.Set("width", width, 0.25f);
                call.Set("bank", bank, 1.5f);
                call.Set("fall", fall, 0.001f);
                call.Set("reach", reach, 16);
                call.Set("method", (long)method, (long)RiversMethod.Rho8);
                call.Set("friction", friction, 0.2f);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("seed", seed, 0);
                call.Set("rain", rain);
                call.Set("discharge", discharge);
                call.Set("rivers", rivers);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Breaks scoops out of slopes, along cracks that run downhill.</summary>
        /// <remarks>de Byl, Procedural terrain generation with Unity</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="density">How many drops fall, each of which breaks out a scoop. Drops per cell, 0 to 1.</param>
        /// <param name="strength">How deep a drop digs at most. Height, 0 to 1000000.</param>
        /// <param name="rivulets">How many cracks leave each cell. 1 to 8.</param>
        /// <param name="reach">How far cracks run from the drop's cell. Cells, 1 to 31.</param>
        /// <param name="visits">The most cells that a drop lowers. Cells, 1 to 512.</param>
        /// <param name="batches">Drops fall in so many batches; those of a batch see the heights that the batch before
        /// left. 1 to 4.</param>
        /// <param name="mode">How deep a drop digs: never below the lowest cell it reaches, or by strength
        /// alone.</param>
        /// <param name="leastSlope">Drops on land less steep than this do nothing; on land twice as steep they dig in
        /// full. Slope, 0 to 100.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Shear(
            Heightmap map,
            ulong seed = 0,
            float density = 0.04f,
            float strength = 8,
            int rivulets = 4,
            int reach = 12,
            int visits = 96,
            int batches = 4,
            ShearMode mode = ShearMode.Drained,
            float leastSlope = 0.1f,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_shear"))
            {
                call.Set("seed", seed, 0);
                call.Set("density", density, 0.04f);
                call.Set("strength", strength, 8);
                call.Set("rivulets", rivulets, 4);
                call.Set("reach", reach, 12);
                call.Set("visits", visits, 96);
                call.Set("batches", batches, 4);
                call.Set("mode", (long)mode, (long)ShearMode.Drained);
                call.Set("least_slope", leastSlope, 0.1f);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Pushes random regions down to the lowest height that each touches.</summary>
        /// <remarks>ckempke, Implementing erosion</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="spacing">The mean width of a region: the larger, the higher the cliffs. Cells, 8 to
        /// 512.</param>
        /// <param name="passes">How many times the map is cut into regions, other ones each time. 1 to 16.</param>
        /// <param name="push">The share of regions that are pushed. 0 to 1.</param>
        /// <param name="debris">The share of the removed material that is put back. 0 to 1.</param>
        /// <param name="leastSlope">Regions less steep than this stay; regions twice as steep are pushed in full.
        /// Slope, 0 to 100.</param>
        /// <param name="jitter">How irregular the regions are. Spacings, 0 to 0.5.</param>
        /// <param name="warp">How rough their edges are. Spacings, 0 to 0.375.</param>
        /// <param name="metric">How the distance to a site is measured; each cell belongs to the nearest site.
        /// Euclidean or Chebyshev.</param>
        /// <param name="place">Where the debris is put: where it came from, or in a heap at the foot of the
        /// cliff.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void ShearRegions(
            Heightmap map,
            ulong seed = 0,
            int spacing = 32,
            int passes = 3,
            float push = 0.25f,
            float debris = 0.35f,
            float leastSlope = 0.1f,
            float jitter = 0.4f,
            float warp = 0.1875f,
            Metric metric = Metric.Euclidean,
            ShearRegionsPlace place = ShearRegionsPlace.InPlace,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_shear_regions"))
            {
                call.Set("seed", seed, 0);
                call.Set("spacing", spacing, 32);
                call.Set("passes", passes, 3);
                call.Set("push", push, 0.25f);
                call.Set("debris", debris, 0.35f);
                call.Set("least_slope", leastSlope, 0.1f);
                call.Set("jitter", jitter, 0.4f);
                call.Set("warp", warp, 0.1875f);
                call.Set("metric", (long)metric, (long)Metric.Euclidean);
                call.Set("place", (long)place, (long)ShearRegionsPlace.InPlace);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Land rises and rivers cut into it: mountain ranges with valleys that drain.</summary>
        /// <remarks>Howard, 1994; Braun and Willett, 2013; Cordonnier, Bovy and Braun, 2019</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="mode">The state where uplift and erosion balance, or time steps on the way to it.</param>
        /// <param name="iterations">Sweeps at full resolution (STEADY), or time steps (TRANSIENT). 0 to 10000.</param>
        /// <param name="upliftRate">How much the land rises in a time step. For STEADY only uplift_rate / erosion_rate
        /// counts. Height, 0 to 1000000.</param>
        /// <param name="erosionRate">How much rivers cut in a time step, where area and slope are 1. 1e-06 to
        /// 1000000.</param>
        /// <param name="concavity">How fast rivers become gentle as they grow: slope is in proportion to
        /// area^-concavity. 0.05 to 1.</param>
        /// <param name="slopeExponent">Erosion grows with the slope to this power: 1 or 2. 1 to 2.</param>
        /// <param name="talus">The steepest slope that holds: the slope of hillsides. Slope, 0 to 100.</param>
        /// <param name="sea">Land at or below this height is sea: it stays as it is, and water ends there. Height,
        /// -infinity to infinity.</param>
        /// <param name="riverDischarge">The discharge from which on a cell of `rivers` keeps its height. Cells, 0 to
        /// 1000000000. Counts only where rivers is given.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, which then stays as it is.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="uplift">Multiplies uplift_rate at each cell; 1 without it.</param>
        /// <param name="hardness">Divides erosion_rate at each cell; 1 without it.</param>
        /// <param name="rain">How much rain falls on each cell; 1 without it.</param>
        /// <param name="rivers">Discharge, in cells, of rivers that keep their heights, and that all water runs
        /// to.</param>
        /// <param name="discharge">Gets the water that flows through each cell, including its own rain.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void StreamPower(
            Heightmap map,
            StreamPowerMode mode = StreamPowerMode.Steady,
            int iterations = 4,
            float upliftRate = 0.04f,
            float erosionRate = 0.04f,
            float concavity = 0.45f,
            int slopeExponent = 1,
            float talus = 0.9f,
            float sea = float.NegativeInfinity,
            float riverDischarge = 1000,
            Rim rim = Rim.Open,
            ulong seed = 0,
            Heightmap uplift = null,
            Heightmap hardness = null,
            Heightmap rain = null,
            Heightmap rivers = null,
            Heightmap discharge = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_stream_power"))
            {
                call.Set("mode", (long)mode, (long)StreamPowerMode.Steady);
                call.Set("iterations", iterations, 4);
                call.Set("uplift_rate", upliftRate, 0.04f);
                call.Set("erosion_rate", erosionRate, 0.04f);
                call.Set("concavity", concavity, 0.45f);
                call.Set("slope_exponent", slopeExponent, 1);
                call.Set("talus", talus, 0.9f);
                call.Set("sea", sea, float.NegativeInfinity);
                call.Set("river_discharge", riverDischarge, 1000);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("seed", seed, 0);
                call.Set("uplift", uplift);
                call.Set("hardness", hardness);
                call.Set("rain", rain);
                call.Set("rivers", rivers);
                call.Set("discharge", discharge);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Lets material slide down slopes that are too steep to hold it.</summary>
        /// <remarks>Musgrave, Kolb and Mace, SIGGRAPH 1989; Olsen, 2004</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="iterations">How many times material slides. 0 to 100000.</param>
        /// <param name="talus">The steepest slope that holds. Slope, 0 to 100.</param>
        /// <param name="rate">The part of the excess height above talus that slides in an iteration. 0 to 1.</param>
        /// <param name="neighbourhood">Which neighbours material slides to: all eight, the four at the edges, or the
        /// four at the corners.</param>
        /// <param name="mode">How much slides: a part of the excess, by the published rule, a fixed amount, or debris
        /// alone.</param>
        /// <param name="quantum">The most that slides between two cells in an iteration, in mode QUANTUM. Cell sizes, 0
        /// to 100. Counts only where mode is Quantum.</param>
        /// <param name="debrisTalus">The steepest slope of debris that holds; for rock it is talus. Slope, 0 to 100.
        /// Counts only where mode is Layers.</param>
        /// <param name="weathering">The part of the rock's excess height that turns to debris in an iteration. 0 to 1.
        /// Counts only where mode is Layers.</param>
        /// <param name="debris">Thickness of the loose debris in each height. Counts only where mode is Layers.</param>
        /// <param name="hardness">How much rock resists weathering: 0 not at all, 1 entirely. Counts only where mode is
        /// Layers.</param>
        /// <param name="debrisOut">Gets the thickness of the loose debris afterwards.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Thermal(
            Heightmap map,
            int iterations = 50,
            float talus = 0.6f,
            float rate = 0.5f,
            ThermalNeighbourhood neighbourhood = ThermalNeighbourhood.Moore,
            ThermalMode mode = ThermalMode.Flux,
            float quantum = 0.02f,
            float debrisTalus = 0.6f,
            float weathering = 0.25f,
            Heightmap debris = null,
            Heightmap hardness = null,
            Heightmap debrisOut = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_thermal"))
            {
                call.Set("iterations", iterations, 50);
                call.Set("talus", talus, 0.6f);
                call.Set("rate", rate, 0.5f);
                call.Set("neighbourhood", (long)neighbourhood, (long)ThermalNeighbourhood.Moore);
                call.Set("mode", (long)mode, (long)ThermalMode.Flux);
                call.Set("quantum", quantum, 0.02f);
                call.Set("debris_talus", debrisTalus, 0.6f);
                call.Set("weathering", weathering, 0.25f);
                call.Set("debris", debris);
                call.Set("hardness", hardness);
                call.Set("debris_out", debrisOut);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Water runs with a velocity, wears what it runs over and into, and drops it where it
        /// slows.</summary>
        /// <remarks>Chiba, Muraoka and Fujita, 1998; Odhner and Fleming, 2009</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="iterations">How many times rain falls, runs and evaporates. 0 to 100000.</param>
        /// <param name="rain">Depth of the rain that falls in the first iteration; then less and less. Cell sizes, 0 to
        /// 100.</param>
        /// <param name="evaporation">The part of the water that evaporates in an iteration. 0 to 1.</param>
        /// <param name="gravity">How much speed water gains in an iteration where it falls freely. Cells, 0 to
        /// 1.</param>
        /// <param name="friction">The part of its velocity that the water loses in an iteration. 0 to 1.</param>
        /// <param name="wear">How much ground the water wears off by its speed. 0 to 1000.</param>
        /// <param name="impact">How much ground the water breaks off where it runs into a slope. 0 to 1000.</param>
        /// <param name="capacity">How much ground the water can carry for its depth and speed. 0 to 1000.</param>
        /// <param name="settling">The part of the sediment beyond the capacity that settles in an iteration. 0 to
        /// 1.</param>
        /// <param name="bank">How far a cell may be worn below, or silted above, the mean of its neighbours. Slope, 0
        /// to 100.</param>
        /// <param name="eroded">Gets how much lower each cell is afterwards.</param>
        /// <param name="deposited">Gets how much higher each cell is afterwards.</param>
        /// <param name="water">Gets the depth of the water after the last iteration.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Velocity(
            Heightmap map,
            int iterations = 200,
            float rain = 0.001f,
            float evaporation = 0.005f,
            float gravity = 0.5f,
            float friction = 0.1f,
            float wear = 1,
            float impact = 10,
            float capacity = 25,
            float settling = 0.2f,
            float bank = 0.15f,
            Heightmap eroded = null,
            Heightmap deposited = null,
            Heightmap water = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("erode_velocity"))
            {
                call.Set("iterations", iterations, 200);
                call.Set("rain", rain, 0.001f);
                call.Set("evaporation", evaporation, 0.005f);
                call.Set("gravity", gravity, 0.5f);
                call.Set("friction", friction, 0.1f);
                call.Set("wear", wear, 1);
                call.Set("impact", impact, 10);
                call.Set("capacity", capacity, 25);
                call.Set("settling", settling, 0.2f);
                call.Set("bank", bank, 0.15f);
                call.Set("eroded", eroded);
                call.Set("deposited", deposited);
                call.Set("water", water);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }
    }

    /// <summary>Smooths land. Each changes the map.</summary>
    public static class Blur
    {
        /// <summary>Takes the mean over a square window.</summary>
        /// <remarks>van Herk, A fast algorithm for local minimum and maximum filters on rectangular and octagonal
        /// kernels, 1992</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="radius">The window is 2 radius + 1 cells wide; its outermost cells may count in part. Cells, 0
        /// to 1024.</param>
        /// <param name="border">What lies beyond the edge of a bounded map.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Box(
            Heightmap map,
            Heightmap mask = null,
            float radius = 2,
            Border border = Border.Clamp,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("blur_box"))
            {
                call.Set("mask", mask);
                call.Set("radius", radius, 2);
                call.Set("border", (long)border, (long)Border.Clamp);
                call.Run(context, map);
            }
        }

        /// <summary>Smooths with a Gaussian of any size.</summary>
        /// <remarks>Burt and Adelson, The Laplacian pyramid as a compact image code, 1983</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="sigma">Standard deviation of the Gaussian: features much smaller than this vanish. Cells, 0 to
        /// 1024.</param>
        /// <param name="border">What lies beyond the edge of a bounded map.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Gaussian(
            Heightmap map,
            Heightmap mask = null,
            float sigma = 2,
            Border border = Border.Clamp,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("blur_gaussian"))
            {
                call.Set("mask", mask);
                call.Set("sigma", sigma, 2);
                call.Set("border", (long)border, (long)Border.Clamp);
                call.Run(context, map);
            }
        }

        /// <summary>Takes the mean over a window whose size varies from cell to cell.</summary>
        /// <remarks>Kempke, Implementing erosion; Crow, Summed-area tables for texture mapping, 1984</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="amount">How much to blur: 0 is radius_low, 1 is radius_high; without it, noise decides.</param>
        /// <param name="radiusLow">The smallest window is 2 radius_low + 1 cells wide. Cells, 0 to 64.</param>
        /// <param name="radiusHigh">The largest window is 2 radius_high + 1 cells wide. Cells, 0 to 64.</param>
        /// <param name="period">The distance between sharp and blurred places. Cells, 1 to 65536. Counts only where
        /// amount is not given.</param>
        /// <param name="mode">Whether to interpolate between whole radii, or to follow the published method.</param>
        /// <param name="border">What lies beyond the edge of a bounded map. Counts only where mode is Smooth.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Variable(
            Heightmap map,
            ulong seed = 0,
            Heightmap mask = null,
            Heightmap amount = null,
            float radiusLow = 1,
            float radiusHigh = 8,
            int period = 40,
            VariableMode mode = VariableMode.Smooth,
            Border border = Border.Clamp,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("blur_variable"))
            {
                call.Set("seed", seed, 0);
                call.Set("mask", mask);
                call.Set("amount", amount);
                call.Set("radius_low", radiusLow, 1);
                call.Set("radius_high", radiusHigh, 8);
                call.Set("period", period, 40);
                call.Set("mode", (long)mode, (long)VariableMode.Smooth);
                call.Set("border", (long)border, (long)Border.Clamp);
                call.Run(context, map);
            }
        }
    }

    /// <summary>Changes heights one by one, or by what lies around them.</summary>
    public static class Shape
    {
        /// <summary>Cuts channels out of depressions until water runs off everywhere.</summary>
        /// <remarks>Lindsay, Hydrological Processes 30, 2016; Cordonnier, Bovy and Braun, Earth Surface Dynamics 7,
        /// 2019</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="slope">The slope of the channels; 0: level. Slope, 0 to 100.</param>
        /// <param name="mostDepth">A channel that would have to be deeper than this somewhere is not cut. Height, 0 to
        /// infinity.</param>
        /// <param name="mostLength">A channel that would have to be longer than this is not cut; 0: any length. Cells,
        /// 0 to 65535.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="depth">Gets how much lower each cell is afterwards.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Breach(
            Heightmap map,
            float slope = 0,
            float mostDepth = float.PositiveInfinity,
            int mostLength = 0,
            Rim rim = Rim.Open,
            Heightmap depth = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_breach"))
            {
                call.Set("slope", slope, 0);
                call.Set("most_depth", mostDepth, float.PositiveInfinity);
                call.Set("most_length", mostLength, 0);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("depth", depth);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Cuts heights to a range.</summary>
        /// <param name="map">The map that is changed.</param>
        /// <param name="low">Lower heights become this. Height, -infinity to infinity.</param>
        /// <param name="high">Higher heights become this. Height, -infinity to infinity.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Clamp(
            Heightmap map,
            float low = float.NegativeInfinity,
            float high = float.PositiveInfinity,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_clamp"))
            {
                call.Set("low", low, float.NegativeInfinity);
                call.Set("high", high, float.PositiveInfinity);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Fills depressions until water runs off everywhere, and says where lakes would be.</summary>
        /// <remarks>Cordonnier, Bovy and Braun, Earth Surface Dynamics 7, 2019; Barnes, Lehman and Mulla, Computers
        /// &amp; Geosciences 62, 2014</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="slope">The slope of filled ground towards its outlet; 0: level. Slope, 0 to 100.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="depth">Gets how much higher each cell is afterwards.</param>
        /// <param name="lakes">Gets a number for each lake, 0 on land.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Fill(
            Heightmap map,
            float slope = 0,
            Rim rim = Rim.Open,
            Heightmap depth = null,
            Heightmap lakes = null,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_fill"))
            {
                call.Set("slope", slope, 0);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("depth", depth);
                call.Set("lakes", lakes);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Takes each height from a place some way off, by noise: ridges wander.</summary>
        /// <remarks>Olsen, Realtime Procedural Terrain Generation, 2004</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="shiftX">Replaces the noise: how many cells to the right of each cell its height is taken
        /// from.</param>
        /// <param name="shiftY">Replaces the noise: how many cells below each cell its height is taken from.</param>
        /// <param name="reach">The largest shift. Cells, 0 to 1024.</param>
        /// <param name="period">Size of the noise's features, a power of two. Cells, 2 to 65536.</param>
        /// <param name="octaves">Octaves of noise, each with half the size of the one before, down to single cells. 1
        /// to 17.</param>
        /// <param name="gain">Factor of the amplitude from octave to octave. 0 to 1.</param>
        /// <param name="filter">How heights between cells are interpolated.</param>
        /// <param name="border">What lies beyond the edge of a bounded map.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Perturb(
            Heightmap map,
            ulong seed = 0,
            Heightmap mask = null,
            Heightmap shiftX = null,
            Heightmap shiftY = null,
            float reach = 64,
            int period = 128,
            int octaves = 5,
            float gain = 0.5f,
            PerturbFilter filter = PerturbFilter.BicubicClamped,
            Border border = Border.Mirror,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_perturb"))
            {
                call.Set("seed", seed, 0);
                call.Set("mask", mask);
                call.Set("shift_x", shiftX);
                call.Set("shift_y", shiftY);
                call.Set("reach", reach, 64);
                call.Set("period", period, 128);
                call.Set("octaves", octaves, 5);
                call.Set("gain", gain, 0.5f);
                call.Set("filter", (long)filter, (long)PerturbFilter.BicubicClamped);
                call.Set("border", (long)border, (long)Border.Mirror);
                call.Run(context, map);
            }
        }

        /// <summary>Maps one range of heights to another, linearly.</summary>
        /// <param name="map">The map that is changed.</param>
        /// <param name="fromLow">The height that becomes to_low. Height, -1e+30 to 1e+30. Counts only where mode is
        /// Given.</param>
        /// <param name="fromHigh">The height that becomes to_high. Height, -1e+30 to 1e+30. Counts only where mode is
        /// Given.</param>
        /// <param name="toLow">What from_low becomes. Height, -1e+30 to 1e+30.</param>
        /// <param name="toHigh">What from_high becomes. Height, -1e+30 to 1e+30.</param>
        /// <param name="mode">Where the source range comes from: from_low and from_high, or the map's own
        /// range.</param>
        /// <param name="clamp">Whether to clamp the result to the target range.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Remap(
            Heightmap map,
            float fromLow = 0,
            float fromHigh = 1,
            float toLow = 0,
            float toHigh = 1,
            RemapMode mode = RemapMode.Given,
            bool clamp = false,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_remap"))
            {
                call.Set("from_low", fromLow, 0);
                call.Set("from_high", fromHigh, 1);
                call.Set("to_low", toLow, 0);
                call.Set("to_high", toHigh, 1);
                call.Set("mode", (long)mode, (long)RemapMode.Given);
                call.Set("clamp", clamp, false);
                call.Set("mask", mask);
                call.Run(context, map);
            }
        }

        /// <summary>Resamples a map to a coarser or finer grid.</summary>
        /// <remarks>Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="step">Source cells per result cell: below 1 enlarges. Cells, 0.0625 to 1024.</param>
        /// <param name="filter">How heights between cells are interpolated; AREA for steps above 1.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Resample(
            Heightmap map,
            Heightmap result = null,
            float step = 1,
            ResampleFilter filter = ResampleFilter.Bicubic,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_resample"))
            {
                call.Set("step", step, 1);
                call.Set("filter", (long)filter, (long)ResampleFilter.Bicubic);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>Lets harder and softer layers of rock show in the relief.</summary>
        /// <remarks>Schlick, Fast alternatives to Perlin's bias and gain functions, 1994</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="layerId">Gets each cell's layer, counted from 0.</param>
        /// <param name="layerHardness">Gets the hardness of each cell's layer, 0 to 1.</param>
        /// <param name="thickness">The thickness of each layer, from below; the layers repeat. 14, 6, 9, 4 without it.
        /// Height, 0.001 to 1000000, at most 64 of them.</param>
        /// <param name="hardness">The hardness of each layer, repeated as needed. 0.1, 0.9, 0.3, 1 without it. 0 to 1,
        /// at most 64 of them.</param>
        /// <param name="strength">How much the layers change the heights: 0 not at all. 0 to 1.</param>
        /// <param name="sharpness">How much steeper the foot of the hardest layer becomes, and how much flatter its
        /// top. 1 to 1000.</param>
        /// <param name="offset">How much all layers are lifted. Height, -1000000 to 1000000.</param>
        /// <param name="tiltX">How steeply the layers rise towards greater x. Slope, -100 to 100.</param>
        /// <param name="tiltY">How steeply the layers rise towards greater y. Slope, -100 to 100.</param>
        /// <param name="foldAmplitude">About how far folds lift and lower the layers. Height, 0 to 1000000.</param>
        /// <param name="foldPeriod">About how far folds are apart. Cells, 1 to 65536.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Strata(
            Heightmap map,
            ulong seed = 0,
            Heightmap mask = null,
            Heightmap layerId = null,
            Heightmap layerHardness = null,
            float[] thickness = null,
            float[] hardness = null,
            float strength = 0.8f,
            float sharpness = 8,
            float offset = 0,
            float tiltX = 0,
            float tiltY = 0,
            float foldAmplitude = 5,
            int foldPeriod = 256,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_strata"))
            {
                call.Set("seed", seed, 0);
                call.Set("mask", mask);
                call.Set("layer_id", layerId);
                call.Set("layer_hardness", layerHardness);
                call.Set("thickness", thickness);
                call.Set("hardness", hardness);
                call.Set("strength", strength, 0.8f);
                call.Set("sharpness", sharpness, 8);
                call.Set("offset", offset, 0);
                call.Set("tilt_x", tiltX, 0);
                call.Set("tilt_y", tiltY, 0);
                call.Set("fold_amplitude", foldAmplitude, 5);
                call.Set("fold_period", foldPeriod, 256);
                call.Run(context, map);
            }
        }

        /// <summary>Cuts terraces: level treads and steep risers.</summary>
        /// <remarks>Schlick, Fast alternatives to Perlin's bias and gain functions, 1994</remarks>
        /// <param name="map">The map that is changed.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="levels">The heights of the treads, in rising order; without it, all multiples of spacing.
        /// Height, -1000000 to 1000000, at most 64 of them.</param>
        /// <param name="spacing">The height from tread to tread. Height, 0.001 to 1000000. Counts only where levels is
        /// not given.</param>
        /// <param name="offset">How much all treads are lifted. Height, -1000000 to 1000000.</param>
        /// <param name="sharpness">How much steeper risers become, and how much flatter treads; 1: not at all. 1 to
        /// 1000.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Terrace(
            Heightmap map,
            Heightmap mask = null,
            float[] levels = null,
            float spacing = 12,
            float offset = 0,
            float sharpness = 6,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("shape_terrace"))
            {
                call.Set("mask", mask);
                call.Set("levels", levels);
                call.Set("spacing", spacing, 12);
                call.Set("offset", offset, 0);
                call.Set("sharpness", sharpness, 6);
                call.Run(context, map);
            }
        }
    }

    /// <summary>Makes one map of two. Each changes the first.</summary>
    public static class Combine
    {
        /// <summary>Blends another map into the map, cell by cell.</summary>
        /// <param name="map">The map that is changed.</param>
        /// <param name="other">A map that is read.</param>
        /// <param name="mode">What the two heights become.</param>
        /// <param name="weight">How much of the result is taken: 0 keeps the map, 1 takes all. 0 to 1.</param>
        /// <param name="radius">Heights closer than this are blended smoothly, in the smooth modes. Height, 0 to
        /// 1000000. Counts only where mode is SmoothMinimum or SmoothMaximum.</param>
        /// <param name="mask">Where to apply: 0 keeps the old height, 1 takes the new one; without it,
        /// everywhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Blend(
            Heightmap map,
            Heightmap other,
            BlendMode mode = BlendMode.Lerp,
            float weight = 1,
            float radius = 8,
            Heightmap mask = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            Check.NotNull(other, nameof(other));
            using (var call = new Operation.Call("combine_blend"))
            {
                call.Set("mode", (long)mode, (long)BlendMode.Lerp);
                call.Set("weight", weight, 1);
                call.Set("radius", radius, 8);
                call.Set("mask", mask);
                call.Run(context, map, other);
            }
        }
    }

    /// <summary>Measures land, cell by cell. Each returns the map with the result, which is new if none is
    /// given.</summary>
    public static class Analyze
    {
        /// <summary>A mask of the cells in a range, with soft ends.</summary>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="low">The lower end of the range. Height, -infinity to infinity.</param>
        /// <param name="high">The upper end of the range. Height, -infinity to infinity.</param>
        /// <param name="falloff">The distance beyond an end of the range over which the mask falls to 0. Height, 0 to
        /// 1e+30.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Band(
            Heightmap map,
            Heightmap result = null,
            float low = 0,
            float high = float.PositiveInfinity,
            float falloff = 4,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_band"))
            {
                call.Set("low", low, 0);
                call.Set("high", high, float.PositiveInfinity);
                call.Set("falloff", falloff, 4);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>Drainage basins, the Strahler order of streams, and the longest flow path to each cell.</summary>
        /// <remarks>Strahler, 1957; Hack, 1957; Cordonnier, Bovy and Braun, 2019</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="routing">How water leaves depressions: as if they were filled, along their beds, or not at
        /// all.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="threshold">The catchment area at which a stream begins. Cells, 1 to 1073741824.</param>
        /// <param name="order">Gets the Strahler order of the stream at each cell, 0 where there is none.</param>
        /// <param name="length">Gets the length of the longest flow path to each cell, in the unit of the cell
        /// size.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Basins(
            Heightmap map,
            Heightmap result = null,
            FlowRouting routing = FlowRouting.Fill,
            Rim rim = Rim.Open,
            int threshold = 100,
            Heightmap order = null,
            Heightmap length = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_basins"))
            {
                call.Set("routing", (long)routing, (long)FlowRouting.Fill);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("threshold", threshold, 100);
                call.Set("order", order);
                call.Set("length", length);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>How far it is to the nearest cell in a range of heights.</summary>
        /// <remarks>Felzenszwalb and Huttenlocher, Theory of Computing 8, 2012</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="low">The lower end of the range of heights to which distances are measured. Height, -infinity
        /// to infinity.</param>
        /// <param name="high">The upper end of the range. Height, -infinity to infinity.</param>
        /// <param name="reach">The largest distance: cells farther away count as this far. Cells, 1 to 4095.</param>
        /// <param name="mode">What the result is: a length, or a mask that falls from 1 in the range to 0 at
        /// reach.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Distance(
            Heightmap map,
            Heightmap result = null,
            float low = float.NegativeInfinity,
            float high = 0,
            int reach = 32,
            DistanceMode mode = DistanceMode.Length,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_distance"))
            {
                call.Set("low", low, float.NegativeInfinity);
                call.Set("high", high, 0);
                call.Set("reach", reach, 32);
                call.Set("mode", (long)mode, (long)DistanceMode.Length);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>Flow accumulation: how much water comes through each cell, and where it goes.</summary>
        /// <remarks>O'Callaghan and Mark, 1984; Fairfield and Leymarie, 1991; Freeman, 1991; Tarboton, 1997;
        /// Cordonnier, Bovy and Braun, 2019</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="method">Where a cell's water goes: to one neighbour, to a random one, to two, or to all lower
        /// ones.</param>
        /// <param name="routing">How water leaves depressions: as if they were filled, along their beds, or not at
        /// all.</param>
        /// <param name="rim">Whether water leaves over the edge of the map, or only at NaN.</param>
        /// <param name="exponent">How much more water steep neighbours get, in MFD; if large, the steepest gets nearly
        /// all. 0.1 to 20. Counts only where method is Mfd.</param>
        /// <param name="seed">Another seed gives another terrain of the same kind.</param>
        /// <param name="weights">How much rain falls on each cell; 1 without it.</param>
        /// <param name="direction">Gets where most of a cell's water goes: 1 to 8, clockwise from the east; 0:
        /// nowhere.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Flow(
            Heightmap map,
            Heightmap result = null,
            FlowMethod method = FlowMethod.D8,
            FlowRouting routing = FlowRouting.Fill,
            Rim rim = Rim.Open,
            float exponent = 1.1f,
            ulong seed = 0,
            Heightmap weights = null,
            Heightmap direction = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_flow"))
            {
                call.Set("method", (long)method, (long)FlowMethod.D8);
                call.Set("routing", (long)routing, (long)FlowRouting.Fill);
                call.Set("rim", (long)rim, (long)Rim.Open);
                call.Set("exponent", exponent, 1.1f);
                call.Set("seed", seed, 0);
                call.Set("weights", weights);
                call.Set("direction", direction);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>The map under a distant light, from 0 dark to 1 bright.</summary>
        /// <remarks>Horn, Hill Shading and the Reflectance Map, 1981</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="azimuth">Where the light comes from: 0 north, 90 east. Degrees, -360 to 360.</param>
        /// <param name="altitude">How high the light stands above the horizon. Degrees, 0 to 90.</param>
        /// <param name="exaggeration">Multiplies all slopes. 0 to 1000.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Hillshade(
            Heightmap map,
            Heightmap result = null,
            float azimuth = 315,
            float altitude = 45,
            float exaggeration = 1,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_hillshade"))
            {
                call.Set("azimuth", azimuth, 315);
                call.Set("altitude", altitude, 45);
                call.Set("exaggeration", exaggeration, 1);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>The direction in which each cell faces, as three maps.</summary>
        /// <remarks>Horn, Hill Shading and the Reflectance Map, 1981</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="normalY">Gets the component that points south.</param>
        /// <param name="normalZ">Gets the component that points up.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Normals(
            Heightmap map,
            Heightmap result = null,
            Heightmap normalY = null,
            Heightmap normalZ = null,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_normals"))
            {
                call.Set("normal_y", normalY);
                call.Set("normal_z", normalZ);
                return call.RunResult(context, map, result);
            }
        }

        /// <summary>How steep each cell is: rise over run, or degrees.</summary>
        /// <remarks>Horn, Hill Shading and the Reflectance Map, 1981</remarks>
        /// <param name="map">A map that is read.</param>
        /// <param name="result">The map that is written; without one, a new map.</param>
        /// <param name="unit">Rise over run, or the angle in degrees.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static Heightmap Slope(
            Heightmap map,
            Heightmap result = null,
            SlopeUnit unit = SlopeUnit.Rise,
            Context context = null)
        {
            Check.NotNull(map, nameof(map));
            using (var call = new Operation.Call("analyze_slope"))
            {
                call.Set("unit", (long)unit, (long)SlopeUnit.Rise);
                return call.RunResult(context, map, result);
            }
        }
    }

    /// <summary>Makes maps fit that are neighbours: maps[row, column]. Each changes all of them.</summary>
    public static class Stitch
    {
        /// <summary>Blends maps that overlap, each giving way to the other across the overlap.</summary>
        /// <param name="maps">Neighbours of equal size, all of which are changed.</param>
        /// <param name="overlap">Columns and rows that neighbours share. Cells, 1 to 65536.</param>
        /// <param name="curve">How the weight changes across the overlap.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Blend(
            Heightmap[,] maps,
            int overlap = 1,
            StitchCurve curve = StitchCurve.Smoother,
            Context context = null)
        {
            Check.NotNull(maps, nameof(maps));
            using (var call = new Operation.Call("stitch_blend"))
            {
                call.Set("overlap", overlap, 1);
                call.Set("curve", (long)curve, (long)StitchCurve.Smoother);
                call.RunGrid(context, maps);
            }
        }

        /// <summary>Makes the edges of neighbouring maps equal, with skirts in which differences die out.</summary>
        /// <remarks>S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, 1967.</remarks>
        /// <param name="maps">Neighbours of equal size, all of which are changed.</param>
        /// <param name="width">How far into each map the difference at an edge is carried; 1: the edge alone. Cells, 1
        /// to 65536.</param>
        /// <param name="curve">How the difference fades out with distance.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Edges(
            Heightmap[,] maps,
            int width = 32,
            StitchCurve curve = StitchCurve.Smoother,
            Context context = null)
        {
            Check.NotNull(maps, nameof(maps));
            using (var call = new Operation.Call("stitch_edges"))
            {
                call.Set("width", width, 32);
                call.Set("curve", (long)curve, (long)StitchCurve.Smoother);
                call.RunGrid(context, maps);
            }
        }

        /// <summary>Makes the edges of neighbouring maps equal, and the slopes across them.</summary>
        /// <remarks>S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, 1967.</remarks>
        /// <param name="maps">Neighbours of equal size, all of which are changed.</param>
        /// <param name="width">How far into each map the difference of heights at an edge is carried. Cells, 2 to
        /// 65536.</param>
        /// <param name="bend">How far the difference of slopes is carried. Cells, 2 to 65536.</param>
        /// <param name="context">Threads, progress and cancelling.</param>
        public static void Match(
            Heightmap[,] maps,
            int width = 32,
            int bend = 8,
            Context context = null)
        {
            Check.NotNull(maps, nameof(maps));
            using (var call = new Operation.Call("stitch_match"))
            {
                call.Set("width", width, 32);
                call.Set("bend", bend, 8);
                call.RunGrid(context, maps);
            }
        }
    }
}
