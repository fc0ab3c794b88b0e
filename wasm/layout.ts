// The one place that knows byte offsets, sizes and status codes. Both compilers read it: `asc` folds the constants into load offsets, `tsc` types
// the TypeScript side with them. Nothing here may be annotated or computed at run time. Changing a layout bumps the version beside it, and
// `src/core` compares what the compiled core exports with what it reads here before the first call.

/** Bumped with every change of the core's memory layout or of a status code. */
export const LAYOUT_VERSION = 1;

// Status numbers of the core. The sentences live in `src/core/status.ts`.
export const STATUS_OK = 0;
export const STATUS_TOO_FEW = 1; // fewer usable stations than the kernel needs
export const STATUS_TOO_MANY = 2; // more than the fixed buffers hold
export const STATUS_NOT_FINITE = 3; // NaN or infinity among the inputs
export const STATUS_DEGENERATE = 4; // no weight, or a singular normal matrix
export const STATUS_NOT_CONVERGED = 5; // a usable answer whose last step was still large

// Station record in LMDB: 24 bytes, little-endian, 4-byte aligned.
export const STATION_FORMAT = 1;
export const STATION_BYTES = 24;
export const STATION_LATITUDE_E7 = 0; // i32
export const STATION_LONGITUDE_E7 = 4; // i32
export const STATION_R50 = 8; // u16, radius code (src/tables/station.ts)
export const STATION_R95 = 10; // u16, radius code
export const STATION_SAMPLES = 12; // u16, saturating
export const STATION_FIRST_SEEN = 14; // u16, days since 1970-01-01
export const STATION_LAST_SEEN = 16; // u16, days since 1970-01-01
export const STATION_STATE = 18; // u8, low nibble state, high nibble format
export const STATION_FLAGS = 19; // u8
export const STATION_REFERENCE_DBM = 20; // i8, level at one metre, 0 = not fitted
export const STATION_EXPONENT = 21; // u8, path-loss exponent * 10, 0 = not fitted
export const STATION_CODE = 22; // u16, cells: scrambling code or PCI, 0xffff = unknown

// Station key: a kind byte, then big-endian fields, zero-padded to whole 32-bit words in memory and cut to its length in LMDB.
export const KEY_BYTES_MAX = 24;
export const KEY_BYTES_MAC = 7; // kind, 6 octets
export const KEY_BYTES_BEACON = 21; // kind, uuid 16, major 2, minor 2
export const KEY_BYTES_CELL = 12; // kind, network 3, cell id 5, area 3

// Observation in a request: 40 bytes.
export const OBSERVATION_BYTES = 40;
export const OBSERVATION_KEY = 0; // u8[24], station key
export const OBSERVATION_SIGNAL = 24; // i16 dBm, SIGNAL_ABSENT when not sent
export const OBSERVATION_FREQUENCY = 26; // u16 MHz, 0 = not sent; cells: scrambling code or PCI, 0xffff = not sent
export const OBSERVATION_AGE = 28; // u32 ms, AGE_ABSENT when not sent
export const OBSERVATION_TIMING = 32; // i32 timing advance in the radio's own unit, -1 = not sent
export const OBSERVATION_FLAGS = 36; // u16
export const OBSERVATION_CHANNEL = 38; // u16, 0 = not sent
export const SIGNAL_ABSENT = -32768;
export const CODE_ABSENT = 65535;
export const AGE_ABSENT = 4294967295;
export const FLAG_SERVING = 1;
export const FLAG_NO_AREA = 2; // cell without area code: matched by network and cell id
export const FLAG_INFERRED = 4; // radio type guessed: tried as wcdma, lte, nbiot, nr in that order
export const FLAG_NO_CELL_ID = 8; // neighbour known only by its scrambling code or PCI

// Request: a FlatBuffers struct of 192 bytes (alignment 8), then the observations: access points, beacons, cells; then, where the request asks for it,
// room for text about the place.
export const REQUEST_BYTES = 192;
export const REQUEST_LENGTH = 0; // u32, bytes of header, observations and room for text
export const REQUEST_FLAGS = 4; // u32, HAS_* bits
export const REQUEST_WIFI = 8; // u32, number of access points
export const REQUEST_BLUETOOTH = 12; // u32, number of beacons
export const REQUEST_CELLS = 16; // u32, number of cells
export const REQUEST_FALLBACKS = 20; // u32, FALLBACK_* bits
export const REQUEST_TIMESTAMP = 24; // f64, ms since 1970
export const REQUEST_GPS_LATITUDE = 32; // f64
export const REQUEST_GPS_LONGITUDE = 40; // f64
export const REQUEST_LAST_LATITUDE = 48; // f64
export const REQUEST_LAST_LONGITUDE = 56; // f64
export const REQUEST_LAST_TIMESTAMP = 64; // f64, ms since 1970
export const REQUEST_GPS_ACCURACY = 72; // f32 metres, 50 %
export const REQUEST_GPS_AGE = 76; // f32 seconds
export const REQUEST_LAST_ACCURACY = 80; // f32 metres
export const REQUEST_SPEED_LIMIT = 84; // f32 metres a second, 0 = none
export const REQUEST_SUBMITTED_WIFI = 88; // u32, distinct radios submitted, before unusable entries are left out
export const REQUEST_TEXT = 92; // u32, where the room for text begins, from the header on; 0 = there is none
// The answer is written into the same struct.
export const RESULT_STATUS = 96; // i32, LOCATE_*
export const RESULT_SOURCES = 100; // u32, SOURCE_* bits of what the position rests on
export const RESULT_LATITUDE = 104; // f64
export const RESULT_LONGITUDE = 112; // f64
export const RESULT_ACCURACY = 120; // f64 metres, 50 % radius
export const RESULT_FALLBACK = 128; // u32, FALLBACK_* bit used, 0 = direct
export const RESULT_USED = 132; // u32, stations the position rests on
export const RESULT_KNOWN = 136; // u32, stations found in the tables
export const RESULT_AT_68 = 140; // f32, radius for 68 % in radii of 50 %
export const RESULT_AT_95 = 144; // f32, the same for 95 %
export const RESULT_GEONAME = 148; // u32, bytes of JSON in UTF-8 at REQUEST_TEXT, 0 = none
export const RESULT_ADDRESS = 152; // u32, bytes of JSON behind it, 0 = none
export const TEXT_BYTES = 8192; // room for both

export const HAS_GPS = 1;
export const HAS_LAST_LOCATION = 2;
export const HAS_SPEED_LIMIT = 4;
export const HAS_TIMESTAMP = 8;
export const WANTS_GEONAME = 16;
export const WANTS_ADDRESS = 32;

export const LOCATE_PENDING = 0;
export const LOCATE_FOUND = 1;
export const LOCATE_NOT_FOUND = 2;
export const LOCATE_FAILED = 3;

export const SOURCE_WIFI = 1;
export const SOURCE_BLUETOOTH = 2;
export const SOURCE_CELL = 4;
export const SOURCE_GPS = 8;

// In the order in which they are tried.
export const FALLBACK_W4F = 1;
export const FALLBACK_NBCIDF = 2;
export const FALLBACK_CIDF = 4;
export const FALLBACK_MNCF = 8;
export const FALLBACK_RATF = 16;
export const FALLBACK_RNCIDF = 32;
export const FALLBACK_LACF = 64;
export const FALLBACK_CIDXF = 128;

// Core memory: fixed buffers inside the compiled core's own memory, above its static data. Byte offsets; the capacity of each group stands in
// front of it. Positions are metres east and north of the frame's origin.
export const CORE_BASE = 65536; // the core's static data must end below
export const CORE_END = 3615752;

// Places: clustering and weighted centroid.
export const MAX_PLACES = 16384;
export const PLACE_EAST = 65536; // f64[]
export const PLACE_NORTH = 196608; // f64[]
export const PLACE_WEIGHT = 327680; // f64[]
export const PLACE_CLUSTER = 458752; // i32[], out: cluster of each place, 0..clusters-1
export const MAX_LINKED = 512; // up to so many places: exact complete linkage
export const CLUSTER_HEADS = 524288; // i32[2 * MAX_PLACES], scratch: hash table of grid cells
export const CLUSTER_NEXT = 655360; // i32[], scratch: next place of the same cell
export const CLUSTER_ORDER = 720896; // i32[], scratch: places by connected part, or cells, the densest first
export const CLUSTER_MATRIX = 786432; // f64[512 * 512], scratch: squared distances
export const CLUSTER_CHAIN = 2883584; // i32[512], scratch
export const CLUSTER_ACTIVE = 2885632; // i32[512], scratch

// Stations of one trilateration.
export const MAX_SOLVE = 512;
export const SOLVE_EAST = 2949120; // f64[]
export const SOLVE_NORTH = 2953216; // f64[]
export const SOLVE_LEVEL = 2957312; // f64[] dBm, NaN or SIGNAL_ABSENT = not measured
export const SOLVE_REFERENCE = 2961408; // f64[] dBm at one metre
export const SOLVE_EXPONENT = 2965504; // f64[] path-loss exponent
export const SOLVE_SIGMA_DB = 2969600; // f64[] dB
export const SOLVE_SIGMA_METRES = 2973696; // f64[] metres, one axis
export const SOLVE_WEIGHT = 2977792; // f64[]
export const SOLVE_ROBUST = 2981888; // f64[], out: robust weight of each station, 0..1
export const SOLVE_SCRATCH = 2985984; // f64[8 * 512]

// Estimates to fuse.
export const MAX_ESTIMATES = 32;
export const FUSE_EAST = 3018752; // f64[]
export const FUSE_NORTH = 3019008; // f64[]
export const FUSE_XX = 3019264; // f64[] square metres
export const FUSE_XY = 3019520; // f64[]
export const FUSE_YY = 3019776; // f64[]

// What a kernel hands back beside its status.
export const OUT_EAST = 3020032; // f64 metres
export const OUT_NORTH = 3020040; // f64 metres
export const OUT_XX = 3020048; // f64 square metres, variance east
export const OUT_XY = 3020056; // f64 square metres, covariance
export const OUT_YY = 3020064; // f64 square metres, variance north
export const OUT_COST = 3020072; // f64, minus log posterior
export const OUT_SCALE = 3020080; // f64, residuals relative to expectation
export const OUT_RADIUS = 3020088; // f64 metres
export const OUT_EFFECTIVE = 3020096; // f64, effective number of particles
export const OUT_COUNT = 3020104; // i32, clusters or inliers
export const OUT_USED = 3020108; // u32, bit mask of the estimates used
export const OUT_ITERATIONS = 3020112; // i32
export const OUT_RESAMPLED = 3020116; // i32, 1 when the particles were resampled

// Particles and the stations of one scan.
export const MAX_PARTICLES = 4096;
export const PARTICLE_EAST = 3080192; // f32[]
export const PARTICLE_NORTH = 3096576; // f32[]
export const PARTICLE_BIAS = 3112960; // f32[] radians, heading error of the device's compass
export const PARTICLE_WEIGHT = 3129344; // f32[], sum 1
export const PARTICLE_SCRATCH = 3145728; // f32[4 * 4096]
export const MAX_SCAN = 256;
export const SCAN_EAST = 3211264; // f32[]
export const SCAN_NORTH = 3212288; // f32[]
export const SCAN_LEVEL = 3213312; // f32[] dBm
export const SCAN_REFERENCE = 3214336; // f32[] dBm at one metre
export const SCAN_EXPONENT = 3215360; // f32[]
export const SCAN_SIGMA_DB = 3216384; // f32[] dB
export const SCAN_SIGMA_METRES = 3217408; // f32[] metres, one axis
export const SCAN_SCRATCH = 3218432; // f32[4 * 256]

// Scratch of clustering again: the cells of its grid, and a stack of cells or the number of cells of each density.
export const CLUSTER_CELLS = 3222528; // 20 bytes each: column, row, first place, places, density, i32
export const CLUSTER_CELL_BYTES = 20;
export const CLUSTER_TALLY = 3550208; // i32[16386]

// Path loss, level = reference - 10 * exponent * log10(metres).
export const NEAREST_METRES = 0.1; // distances below count as this
