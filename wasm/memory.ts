// The core's memory: the offsets and capacities of its fixed buffers, and the status numbers that its kernels return.
// Both compilers read this file: `asc` folds the constants into load offsets, and the TypeScript side uses the same
// ones. So nothing here may be annotated or computed at run time. A change bumps the version, and src/core compares the
// compiled core's exports with this file before the first call.

/** Bumped with every change of the core's memory layout or of a status code. */
export const LAYOUT_VERSION = 10;

// Status numbers that kernels return. Callers branch on them; they never appear in a reply or log.
export const STATUS_OK = 0;
export const STATUS_TOO_FEW = 1; // fewer usable stations than the kernel needs
export const STATUS_TOO_MANY = 2; // more than the fixed buffers hold
export const STATUS_NOT_FINITE = 3; // NaN or infinity among the inputs
export const STATUS_DEGENERATE = 4; // no weight, or a singular normal matrix
export const STATUS_NOT_CONVERGED = 5; // a usable answer whose last step was still large

// A level that was not measured, in dBm.
export const SIGNAL_ABSENT = -32768;

// Fixed buffers in the compiled core's own memory, above its static data, by byte offset. Each buffer begins where the
// one before it ends, so that none can overlap another. Each group of buffers is preceded by its capacity and the bytes
// of one of its arrays. Capacities are multiples of 4, so that every array begins at a multiple of 16 bytes. Positions
// are metres east and north of the frame's origin.
export const CORE_PAGE = 65536; // a page of WebAssembly's memory; some groups begin on one
export const CORE_BASE = CORE_PAGE; // the core's static data must end below

// Stations of one trilateration.
export const MAX_SOLVE = 512;
export const SOLVE_DOUBLES = 8 * MAX_SOLVE;
export const SOLVE_EAST = CORE_BASE; // f64[]
export const SOLVE_NORTH = SOLVE_EAST + SOLVE_DOUBLES; // f64[]
export const SOLVE_LEVEL = SOLVE_NORTH + SOLVE_DOUBLES; // f64[] dBm, NaN or SIGNAL_ABSENT = not measured
export const SOLVE_REFERENCE = SOLVE_LEVEL + SOLVE_DOUBLES; // f64[] dBm at one metre
export const SOLVE_EXPONENT = SOLVE_REFERENCE + SOLVE_DOUBLES; // f64[] path-loss exponent
export const SOLVE_SIGMA_DB = SOLVE_EXPONENT + SOLVE_DOUBLES; // f64[] dB
export const SOLVE_SIGMA_METRES = SOLVE_SIGMA_DB + SOLVE_DOUBLES; // f64[] metres, one axis
export const SOLVE_WEIGHT = SOLVE_SIGMA_METRES + SOLVE_DOUBLES; // f64[]
export const SOLVE_ROBUST = SOLVE_WEIGHT + SOLVE_DOUBLES; // f64[], out: robust weight of each station, 0..1
export const SOLVE_OFFSET = SOLVE_ROBUST + SOLVE_DOUBLES; // f64[], scratch: level - reference, dB
export const SOLVE_HALF_SLOPE = SOLVE_OFFSET + SOLVE_DOUBLES; // f64[], scratch: half of the dB per neper of distance
// f64[], scratch: variance of the position + 1, square metres
export const SOLVE_SOFT = SOLVE_HALF_SLOPE + SOLVE_DOUBLES;
export const SOLVE_LEVEL_PRECISION = SOLVE_SOFT + SOLVE_DOUBLES; // f64[], scratch: 1 / variance of the level
export const SOLVE_NEAR_PRECISION = SOLVE_LEVEL_PRECISION + SOLVE_DOUBLES; // f64[], scratch: 1 / variance of "near me"
export const SOLVE_FILLED_EAST = SOLVE_NEAR_PRECISION + SOLVE_DOUBLES; // f64[], scratch: copy, padded to an even count
export const SOLVE_FILLED_NORTH = SOLVE_FILLED_EAST + SOLVE_DOUBLES; // f64[], scratch: the same
export const SOLVE_FILLED_WEIGHT = SOLVE_FILLED_NORTH + SOLVE_DOUBLES; // f64[], scratch: the same, 0 beyond the count

// Estimates to fuse.
export const MAX_ESTIMATES = 32;
export const FUSE_DOUBLES = 8 * MAX_ESTIMATES;
export const FUSE_EAST = SOLVE_FILLED_WEIGHT + SOLVE_DOUBLES; // f64[]
export const FUSE_NORTH = FUSE_EAST + FUSE_DOUBLES; // f64[]
export const FUSE_XX = FUSE_NORTH + FUSE_DOUBLES; // f64[] square metres
export const FUSE_XY = FUSE_XX + FUSE_DOUBLES; // f64[]
export const FUSE_YY = FUSE_XY + FUSE_DOUBLES; // f64[]

// Outputs of the kernels, apart from the status.
export const OUT_EAST = FUSE_YY + FUSE_DOUBLES; // f64 metres
export const OUT_NORTH = OUT_EAST + 8; // f64 metres
export const OUT_XX = OUT_NORTH + 8; // f64 square metres, variance east
export const OUT_XY = OUT_XX + 8; // f64 square metres, covariance
export const OUT_YY = OUT_XY + 8; // f64 square metres, variance north
export const OUT_COST = OUT_YY + 8; // f64, minus log posterior
export const OUT_SCALE = OUT_COST + 8; // f64, size of the residuals relative to the expected size
export const OUT_USED = OUT_SCALE + 8; // u32, bit mask of the estimates used
export const OUT_ITERATIONS = OUT_USED + 4; // i32

// Particles.
export const MAX_PARTICLES = 4096;
export const PARTICLE_FLOATS = 4 * MAX_PARTICLES;
export const PARTICLE_EAST = (OUT_ITERATIONS + 4 + CORE_PAGE - 1) & -CORE_PAGE; // f32[]
export const PARTICLE_NORTH = PARTICLE_EAST + PARTICLE_FLOATS; // f32[]
export const PARTICLE_BIAS = PARTICLE_NORTH + PARTICLE_FLOATS; // f32[] radians, heading error of the device's compass
export const PARTICLE_WEIGHT = PARTICLE_BIAS + PARTICLE_FLOATS; // f32[], sum 1
// f32[], length of the device's steps relative to the usual one
export const PARTICLE_STRIDE = PARTICLE_WEIGHT + PARTICLE_FLOATS;
export const PARTICLE_FLOOR = PARTICLE_STRIDE + PARTICLE_FLOATS; // f32[], floor index

// Selected stations, strongest first, up to MAX_SOLVE, and where they stand.
// i32[4 * MAX_SOLVE], packed stations (src/tables/stations/packed_station.ts)
export const SELECTED_PAYLOAD = PARTICLE_FLOOR + PARTICLE_FLOATS;
export const SELECTED_EAST = SELECTED_PAYLOAD + 16 * MAX_SOLVE; // out: f64[] metres in the frame
export const SELECTED_NORTH = SELECTED_EAST + SOLVE_DOUBLES; // out: f64[] metres
export const SELECTED_LEVEL = SELECTED_NORTH + SOLVE_DOUBLES; // f64[] dBm, a substitute where none was sent
// f64[] metres that a walking device may have moved since the reading
export const SELECTED_DRIFT = SELECTED_LEVEL + SOLVE_DOUBLES;
export const SELECTED_FRESHNESS = SELECTED_DRIFT + SOLVE_DOUBLES; // f64[] weight by age, above 0, up to 1
export const SELECTED_FREQUENCY = SELECTED_FRESHNESS + SOLVE_DOUBLES; // i32[] MHz, 0 = not sent
export const SELECTED_SENT = SELECTED_FREQUENCY + 4 * MAX_SOLVE; // i32[], 1 if the level was sent
// i32[2 * MAX_SOLVE], the last five octets of the address: low word, then the rest
export const SELECTED_RADIO = SELECTED_SENT + 4 * MAX_SOLVE;
export const SELECTED_ALONE = SELECTED_RADIO + 8 * MAX_SOLVE; // i32[], 1 if the station may place a device by itself
export const SELECTED_LINKED = SELECTED_ALONE + 4 * MAX_SOLVE; // out: i32[], 1 if the station takes part in the fix
// i32[], ROLE_*: how the station may take part
export const SELECTED_ROLE = SELECTED_LINKED + 4 * MAX_SOLVE;
export const SELECTED_DEVICE = SELECTED_ROLE + 4 * MAX_SOLVE; // out: i32[], one station of the same device
export const SELECTED_VOTES = SELECTED_DEVICE + 4 * MAX_SOLVE; // scratch: i32[], devices that are heard where it is
export const SELECTED_WINS = SELECTED_VOTES + 4 * MAX_SOLVE; // scratch: i32[], 1 if these are enough
export const SELECTED_VOTER = SELECTED_WINS + 4 * MAX_SOLVE; // scratch: i32[], 1 if its device votes where it is
export const SELECTED_COSINE = SELECTED_VOTER + 4 * MAX_SOLVE; // scratch: f64[] cosine of its latitude
export const SELECTED_REACH = SELECTED_COSINE + SOLVE_DOUBLES; // out: f64[] metres within which the station is heard
export const ROLE_VOTER = 0;
export const ROLE_GUEST = 1; // it has no vote, and takes part where three others win
export const ROLE_ABSENT = 2;

// The stations in the solver's buffers, as the steps of a fix need them.
export const FIX_LEVEL = SELECTED_REACH + SOLVE_DOUBLES; // f64[] dBm, a substitute where none was sent
// f64[] square metres, variance along one axis of the errors that the stations share
export const FIX_COMMON = FIX_LEVEL + SOLVE_DOUBLES;
export const FIX_REFERENCE = FIX_COMMON + SOLVE_DOUBLES; // f64[] dBm, before the path loss of the scan was fitted
export const FIX_EXPONENT = FIX_REFERENCE + SOLVE_DOUBLES; // f64[], the same
export const FIX_OWN = FIX_EXPONENT + SOLVE_DOUBLES; // i32[], 1 for a station with a fit of its own
export const FIT_WEIGHT = FIX_OWN + SOLVE_DOUBLES; // f64[], scratch
export const FIT_RESIDUAL = FIT_WEIGHT + SOLVE_DOUBLES; // f64[] dB, scratch
export const FIT_SLOPE = FIT_RESIDUAL + SOLVE_DOUBLES; // f64[] dB, scratch
export const OUT_LATITUDE = FIT_SLOPE + SOLVE_DOUBLES; // f64 degrees
export const OUT_LONGITUDE = OUT_LATITUDE + 8; // f64 degrees
export const OUT_TAKEN = OUT_LONGITUDE + 8; // i32, number of stations that take part in the fix
export const OUT_NEEDED = OUT_TAKEN + 4; // i32, devices that a place needs; 0 where none can win
// f64[3], square metres: the levels, the geometry and the stations in the sum of both variances
export const OUT_PARTS = OUT_NEEDED + 4;
// Exponentials of whole dB, each filled when it is first needed.
export const MAX_TABLE_DB = 256;
// f64[MAX_TABLE_DB], weight in the first guess by minus the level; 0 = not computed yet
export const TABLE_GUESS = OUT_PARTS + 24;
// f64[MAX_TABLE_DB], weight in the position by dB below the strongest; 0 = not computed yet
export const TABLE_WEIGHT = TABLE_GUESS + 8 * MAX_TABLE_DB;

// Constants of one kind of transmitter (src/core/transmitter_model.ts), f64 each, for MAX_MODELS kinds.
export const MAX_MODELS = 2;
export const MODEL_BYTES = 128;
export const MODELS = TABLE_WEIGHT + 8 * MAX_TABLE_DB;
export const MODEL_REACH_METRES = MODELS;
export const MODEL_REACH_METRES_MAX = MODELS + 8;
export const MODEL_REACH_METRES_UNTRUSTED = MODELS + 16;
export const MODEL_MINIMUM = MODELS + 24;
export const MODEL_LEVEL_SIGMA_DB = MODELS + 32;
export const MODEL_POSITION_SHARE = MODELS + 40;
export const MODEL_LEARNED_SHARE = MODELS + 48;
export const MODEL_POSITION_FLOOR_METRES = MODELS + 56;
export const MODEL_SAMPLING_METRES = MODELS + 64;
export const MODEL_HIDDEN_SHARE = MODELS + 72;
export const MODEL_REFERENCE_DBM = MODELS + 80;
export const MODEL_REFERENCE_HIGH_BAND_DBM = MODELS + 88;
export const MODEL_EXPONENT = MODELS + 96;
export const MODEL_OFFSET_SIGMA_DB = MODELS + 104;
export const MODEL_EXPONENT_SIGMA = MODELS + 112;
export const MODEL_PIVOT_METRES = MODELS + 120;

// Components of a mixture from which particles are drawn, and the places of a fingerprint map by which they are
// weighed.
export const MAX_COMPONENTS = 256;
export const COMPONENT_FLOATS = 4 * MAX_COMPONENTS;
export const COMPONENT_EAST = MODELS + MODEL_BYTES * MAX_MODELS; // f32[] metres
export const COMPONENT_NORTH = COMPONENT_EAST + COMPONENT_FLOATS; // f32[] metres
export const COMPONENT_FLOOR = COMPONENT_NORTH + COMPONENT_FLOATS; // f32[], floor index
export const COMPONENT_SIGMA = COMPONENT_FLOOR + COMPONENT_FLOATS; // f32[] metres, one axis
export const COMPONENT_BIAS = COMPONENT_SIGMA + COMPONENT_FLOATS; // f32[] radians, mean
export const COMPONENT_STRIDE = COMPONENT_BIAS + COMPONENT_FLOATS; // f32[], mean
export const COMPONENT_WEIGHT = COMPONENT_STRIDE + COMPONENT_FLOATS; // f32[], of the component's particles together
export const MAX_PLACES = 64;
export const PLACE_FLOATS = 4 * MAX_PLACES;
export const PLACE_EAST = COMPONENT_WEIGHT + COMPONENT_FLOATS; // f32[] metres
export const PLACE_NORTH = PLACE_EAST + PLACE_FLOATS; // f32[] metres
export const PLACE_FLOOR = PLACE_NORTH + PLACE_FLOATS; // f32[], floor index
export const PLACE_WEIGHT = PLACE_FLOOR + PLACE_FLOATS; // f32[], likelihood of the place

// Of a device that is followed outdoors: what components and particles have beside the above, and the points of radio
// maps by which particles are weighed.
export const COMPONENT_EAST_SPEED = PLACE_WEIGHT + PLACE_FLOATS; // f32[] m/s, mean
export const COMPONENT_NORTH_SPEED = COMPONENT_EAST_SPEED + COMPONENT_FLOATS; // f32[] m/s, mean
// f32[] 1/s, how the speed of a particle follows from its position
export const COMPONENT_SLOPE = COMPONENT_NORTH_SPEED + COMPONENT_FLOATS;
export const COMPONENT_SPEED_SIGMA = COMPONENT_SLOPE + COMPONENT_FLOATS; // f32[] m/s, one axis, of what does not follow
export const PARTICLE_EAST_SPEED = COMPONENT_SPEED_SIGMA + COMPONENT_FLOATS; // f32[] m/s
export const PARTICLE_NORTH_SPEED = PARTICLE_EAST_SPEED + PARTICLE_FLOATS; // f32[] m/s
export const MAX_POINTS = 1024;
export const POINT_FLOATS = 4 * MAX_POINTS;
export const POINT_EAST = PARTICLE_NORTH_SPEED + PARTICLE_FLOATS; // f32[] metres
export const POINT_NORTH = POINT_EAST + POINT_FLOATS; // f32[] metres
export const POINT_WEIGHT = POINT_NORTH + POINT_FLOATS; // f32[], likelihood of the point
// f32[4] for each point, scratch; then f32[], out: weight of the particles around
export const POINT_DENSITY = POINT_WEIGHT + POINT_FLOATS;

// Walls near the way of a tracked device: one end, and the vector to the other, metres from where the way begins.
export const MAX_NEAR_WALLS = 256;
export const NEAR_WALLS = POINT_DENSITY + 4 * POINT_FLOATS; // f32[4] for each wall: east, north, eastward, northward
export const OUT_BOX = NEAR_WALLS + 16 * MAX_NEAR_WALLS; // f32[4], metres: west, south, east and north end of particles

// A body that is scanned, and what the scan finds (body/body.ts).
export const MAX_BODY = 65536; // bytes
export const MAX_OBSERVATIONS = 1024; // of each kind of station
export const BODY_SLACK = 32; // bytes that may be read behind a text
export const OBSERVATIONS_BYTES = 40 * MAX_OBSERVATIONS;
export const BODY_TEXT = (OUT_BOX + 16 + CORE_PAGE - 1) & -CORE_PAGE; // the bytes of the body, then a zero
export const BODY_NOWHERE = BODY_TEXT + MAX_BODY + BODY_SLACK; // zeros: where a scan goes on that has declined
// out: an object of the members that are not lists of stations, as JSON
export const BODY_REST = BODY_NOWHERE + BODY_SLACK;
// out: access points, then beacons, then cells, without gaps
export const BODY_WIFI = BODY_REST + MAX_BODY + BODY_SLACK;
export const BODY_BLUETOOTH = BODY_WIFI + OBSERVATIONS_BYTES; // scratch: beacons
export const BODY_CELLS = BODY_BLUETOOTH + OBSERVATIONS_BYTES; // scratch: cells
export const BODY_COUNTS = BODY_CELLS + OBSERVATIONS_BYTES; // i32[3], out: access points, beacons, cells
export const BODY_COUNTS_BYTES = 16;
// u32[], names of access points that travel (body/moving_names.ts)
export const BODY_MOVING = BODY_COUNTS + BODY_COUNTS_BYTES;
export const MAX_MOVING = 4096; // slots, a power of two; at most a half are used
export const MOVING_SHIFT = 20; // of a hash of 32 bits, so that it is a slot

// A fingerprint map, as a scan is compared with it (fingerprints/match.ts).
export const MAX_MAP_PLACES = 65536;
export const MAP_FLOATS = 4 * MAX_MAP_PLACES;
// i32[4] for each place: steps in common with the scan; then f32[4]: how alike they are
export const MAP_COMMON = (BODY_MOVING + 4 * MAX_MOVING + CORE_PAGE - 1) & -CORE_PAGE;
// f64[2] for each place: what of it counts as heard, what of the scan it hears
export const MAP_SHARES = MAP_COMMON + 4 * MAP_FLOATS;
// f32[4] for each place: what the levels of its radios say, by offset
export const MAP_LEVELS = MAP_SHARES + 4 * MAP_FLOATS;
export const MAP_TOTAL = MAP_LEVELS + 4 * MAP_FLOATS; // f64[], sum of the strengths of each place
export const MAP_PRIOR = MAP_TOTAL + 2 * MAP_FLOATS; // f32[], natural logarithm
export const MAP_LIKELIHOOD = MAP_PRIOR + MAP_FLOATS; // f32[], out: natural logarithm, by the likeliest offsets
export const MAP_LIST_PLACE = MAP_LIKELIHOOD + MAP_FLOATS; // u16[], places that hear a radio
export const MAP_LIST_STRENGTH = MAP_LIST_PLACE + 2 * MAX_MAP_PLACES; // u8[], how well, as it is stored
export const STORED_BYTES = 256;
export const MAP_STRENGTH = MAP_LIST_STRENGTH + MAX_MAP_PLACES; // f64[STORED_BYTES], the strength of each stored byte
export const MAP_STRENGTH_SINGLES = MAP_STRENGTH + 8 * STORED_BYTES; // f32[STORED_BYTES], the same
// i32[STORED_BYTES], the level of each stored byte, half decibels, -210..0
export const MAP_STRENGTH_LEVEL = MAP_STRENGTH_SINGLES + 4 * STORED_BYTES;
export const LEVEL_STEPS = 256; // half decibels: all levels are above minus that
// f32[4][2 * LEVEL_STEPS], what a difference of levels says, by offset; no difference is in the middle
export const MAP_DIFFERENCE = MAP_STRENGTH_LEVEL + 4 * STORED_BYTES;
export const OUT_SIMILARITY = MAP_DIFFERENCE + 32 * LEVEL_STEPS; // f32, of the place and the offset that are most alike
export const OUT_BEST = OUT_SIMILARITY + 4; // f32, the largest likelihood
export const OUT_EXPLAINED = OUT_BEST + 4; // f32, how well the place that explains the scan best does so
export const CORE_END = OUT_EXPLAINED + 4;
