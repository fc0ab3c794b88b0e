// Byte offsets, sizes and status codes: of the core's memory, of queries and of station records. Both compilers read this file: `asc` folds the constants
// into load offsets, `tsc` types the TypeScript side with them. Nothing here may be annotated or computed at run time. Changing a layout bumps the
// version beside it, and `src/core` compares what the compiled core exports with what it reads here before the first call.

/** Bumped with every change of the core's memory layout or of a status code. */
export const LAYOUT_VERSION = 1;

// Status numbers that kernels return. Callers branch on them; no reply or log shows one.
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
export const STATION_R50 = 8; // u16, radius code (src/tables/stations/station.ts)
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

// Request: a header of 192 bytes at fixed offsets (little-endian, aligned to 8), then the observations: access points, beacons, cells; then, where the request asks for it,
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

// Core memory: fixed buffers inside the compiled core's own memory, above its static data. Byte offsets: each region begins where the one before it ends,
// so that none can overlap another, and the capacity of each group stands in front of it with the bytes of one of its arrays. Capacities are multiples
// of 4, so that every array begins on 16 bytes. Positions are metres east and north of the frame's origin.
export const CORE_PAGE = 65536; // a page of WebAssembly's memory; some groups begin on one
export const CORE_BASE = CORE_PAGE; // the core's static data must end below

// Places: clustering and weighted centroid.
export const MAX_PLACES = 16384;
export const MAX_LINKED = 512; // up to so many places: exact complete linkage
export const PLACE_WORDS = 4 * MAX_PLACES; // bytes of an array of i32
export const PLACE_DOUBLES = 8 * MAX_PLACES;
export const PLACE_EAST = CORE_BASE; // f64[]
export const PLACE_NORTH = PLACE_EAST + PLACE_DOUBLES; // f64[]
export const PLACE_WEIGHT = PLACE_NORTH + PLACE_DOUBLES; // f64[]
export const PLACE_CLUSTER = PLACE_WEIGHT + PLACE_DOUBLES; // i32[], out: cluster of each place, 0..clusters-1
export const CLUSTER_HEADS = PLACE_CLUSTER + PLACE_WORDS; // i32[2 * MAX_PLACES], scratch: hash table of grid cells
export const CLUSTER_NEXT = CLUSTER_HEADS + 2 * PLACE_WORDS; // i32[], scratch: next place of the same cell
export const CLUSTER_ORDER = CLUSTER_NEXT + PLACE_WORDS; // i32[], scratch: places by connected part, or cells, the densest first
export const CLUSTER_MATRIX = CLUSTER_ORDER + PLACE_WORDS; // f64[MAX_LINKED * MAX_LINKED], scratch: squared distances
export const CLUSTER_CHAIN = CLUSTER_MATRIX + 8 * MAX_LINKED * MAX_LINKED; // i32[MAX_LINKED], scratch
export const CLUSTER_ACTIVE = CLUSTER_CHAIN + 4 * MAX_LINKED; // i32[MAX_LINKED], scratch

// Stations of one trilateration.
export const MAX_SOLVE = 512;
export const SOLVE_DOUBLES = 8 * MAX_SOLVE;
export const SOLVE_EAST = (CLUSTER_ACTIVE + 4 * MAX_LINKED + CORE_PAGE - 1) & -CORE_PAGE; // f64[]
export const SOLVE_NORTH = SOLVE_EAST + SOLVE_DOUBLES; // f64[]
export const SOLVE_LEVEL = SOLVE_NORTH + SOLVE_DOUBLES; // f64[] dBm, NaN or SIGNAL_ABSENT = not measured
export const SOLVE_REFERENCE = SOLVE_LEVEL + SOLVE_DOUBLES; // f64[] dBm at one metre
export const SOLVE_EXPONENT = SOLVE_REFERENCE + SOLVE_DOUBLES; // f64[] path-loss exponent
export const SOLVE_SIGMA_DB = SOLVE_EXPONENT + SOLVE_DOUBLES; // f64[] dB
export const SOLVE_SIGMA_METRES = SOLVE_SIGMA_DB + SOLVE_DOUBLES; // f64[] metres, one axis
export const SOLVE_WEIGHT = SOLVE_SIGMA_METRES + SOLVE_DOUBLES; // f64[]
export const SOLVE_ROBUST = SOLVE_WEIGHT + SOLVE_DOUBLES; // f64[], out: robust weight of each station, 0..1
export const SOLVE_OFFSET = SOLVE_ROBUST + SOLVE_DOUBLES; // f64[], scratch: level - reference, dB
export const SOLVE_HALF_SLOPE = SOLVE_OFFSET + SOLVE_DOUBLES; // f64[], scratch: half of the dB a neper of distance
export const SOLVE_SOFT = SOLVE_HALF_SLOPE + SOLVE_DOUBLES; // f64[], scratch: variance of the place + 1, square metres
export const SOLVE_LEVEL_PRECISION = SOLVE_SOFT + SOLVE_DOUBLES; // f64[], scratch: 1 / variance of the level
export const SOLVE_NEAR_PRECISION = SOLVE_LEVEL_PRECISION + SOLVE_DOUBLES; // f64[], scratch: 1 / variance of "near me"
export const SOLVE_FILLED_EAST = SOLVE_NEAR_PRECISION + SOLVE_DOUBLES; // f64[], scratch: copy, filled up to an even count
export const SOLVE_FILLED_NORTH = SOLVE_FILLED_EAST + SOLVE_DOUBLES; // f64[], scratch: the same
export const SOLVE_FILLED_WEIGHT = SOLVE_FILLED_NORTH + SOLVE_DOUBLES; // f64[], scratch: the same, 0 behind the count

// Estimates to fuse.
export const MAX_ESTIMATES = 32;
export const FUSE_DOUBLES = 8 * MAX_ESTIMATES;
export const FUSE_EAST = SOLVE_FILLED_WEIGHT + SOLVE_DOUBLES; // f64[]
export const FUSE_NORTH = FUSE_EAST + FUSE_DOUBLES; // f64[]
export const FUSE_XX = FUSE_NORTH + FUSE_DOUBLES; // f64[] square metres
export const FUSE_XY = FUSE_XX + FUSE_DOUBLES; // f64[]
export const FUSE_YY = FUSE_XY + FUSE_DOUBLES; // f64[]

// What a kernel hands back beside its status.
export const OUT_EAST = FUSE_YY + FUSE_DOUBLES; // f64 metres
export const OUT_NORTH = OUT_EAST + 8; // f64 metres
export const OUT_XX = OUT_NORTH + 8; // f64 square metres, variance east
export const OUT_XY = OUT_XX + 8; // f64 square metres, covariance
export const OUT_YY = OUT_XY + 8; // f64 square metres, variance north
export const OUT_COST = OUT_YY + 8; // f64, minus log posterior
export const OUT_SCALE = OUT_COST + 8; // f64, residuals relative to expectation
export const OUT_RADIUS = OUT_SCALE + 8; // f64 metres
export const OUT_EFFECTIVE = OUT_RADIUS + 8; // f64, effective number of particles
export const OUT_COUNT = OUT_EFFECTIVE + 8; // i32, clusters or inliers
export const OUT_USED = OUT_COUNT + 4; // u32, bit mask of the estimates used
export const OUT_ITERATIONS = OUT_USED + 4; // i32
export const OUT_RESAMPLED = OUT_ITERATIONS + 4; // i32, 1 when the particles were resampled

// Particles and the stations of one scan.
export const MAX_PARTICLES = 4096;
export const PARTICLE_FLOATS = 4 * MAX_PARTICLES;
export const PARTICLE_EAST = (OUT_RESAMPLED + 4 + CORE_PAGE - 1) & -CORE_PAGE; // f32[]
export const PARTICLE_NORTH = PARTICLE_EAST + PARTICLE_FLOATS; // f32[]
export const PARTICLE_BIAS = PARTICLE_NORTH + PARTICLE_FLOATS; // f32[] radians, heading error of the device's compass
export const PARTICLE_WEIGHT = PARTICLE_BIAS + PARTICLE_FLOATS; // f32[], sum 1
export const PARTICLE_NEXT_EAST = PARTICLE_WEIGHT + PARTICLE_FLOATS; // f32[], scratch: the next generation
export const PARTICLE_NEXT_NORTH = PARTICLE_NEXT_EAST + PARTICLE_FLOATS; // f32[], scratch: the same
export const PARTICLE_NEXT_BIAS = PARTICLE_NEXT_NORTH + PARTICLE_FLOATS; // f32[], scratch: the same
export const PARTICLE_SURPRISE = PARTICLE_NEXT_BIAS + PARTICLE_FLOATS; // f32[], scratch: surprise of each particle, then its new weight
export const MAX_SCAN = 256;
export const SCAN_FLOATS = 4 * MAX_SCAN;
export const SCAN_EAST = PARTICLE_SURPRISE + PARTICLE_FLOATS; // f32[]
export const SCAN_NORTH = SCAN_EAST + SCAN_FLOATS; // f32[]
export const SCAN_LEVEL = SCAN_NORTH + SCAN_FLOATS; // f32[] dBm
export const SCAN_REFERENCE = SCAN_LEVEL + SCAN_FLOATS; // f32[] dBm at one metre
export const SCAN_EXPONENT = SCAN_REFERENCE + SCAN_FLOATS; // f32[]
export const SCAN_SIGMA_DB = SCAN_EXPONENT + SCAN_FLOATS; // f32[] dB
export const SCAN_SIGMA_METRES = SCAN_SIGMA_DB + SCAN_FLOATS; // f32[] metres, one axis
export const SCAN_OFFSET = SCAN_SIGMA_METRES + SCAN_FLOATS; // f32[], scratch: level - reference, dB
export const SCAN_HALF_SLOPE = SCAN_OFFSET + SCAN_FLOATS; // f32[], scratch: half of the dB a neper of distance
export const SCAN_SOFT = SCAN_HALF_SLOPE + SCAN_FLOATS; // f32[], scratch: variance of the place + 1, square metres
export const SCAN_PRECISION = SCAN_SOFT + SCAN_FLOATS; // f32[], scratch: 1 / variance of the level

// Scratch of clustering again: the cells of its grid, and a stack of cells or the number of cells of each density.
export const CLUSTER_CELL_BYTES = 20; // column, row, first place, places, density, i32
export const CLUSTER_CELLS = SCAN_PRECISION + SCAN_FLOATS; // structs of CLUSTER_CELL_BYTES
export const CLUSTER_TALLY = CLUSTER_CELLS + CLUSTER_CELL_BYTES * MAX_PLACES; // i32[MAX_PLACES + 2]
export const CORE_END = CLUSTER_TALLY + PLACE_WORDS + 8;

// Path loss, level = reference - 10 * exponent * log10(metres).
export const NEAREST_METRES = 0.1; // distances below count as this
