// What is remembered of a device in a building between two requests: where it may be, as a mixture of a few dozen small
// normal distributions, how long its steps are, how its compass errs, and the air pressure where it was. The device
// carries it in its state token, so it is bytes, and few of them:
//
//   version u8 | components u8 | bias sigma u8 | stride sigma u8 | time f64 | building f64 | pressure f32, then for
//   each component:
//   east i16 | north i16 | floor i16 | weight u8 | sigma u8 | bias i8 | stride i8 | climb i8
//
// Positions are in steps of a decimetre. Little-endian.

/** A part of the mixture: a circular normal distribution on one floor. */
export interface Component {
  /** Metres from the origin of the building's map. */
  east: number;
  north: number;
  /** Floor index. */
  floor: number;
  /** The weights of a track have the sum 1. */
  weight: number;
  /** Standard deviation along one axis, metres. */
  sigma: number;
  /** Mean angle in radians from the device's heading clockwise to the true one. */
  bias: number;
  /** Mean length of the steps relative to the usual one. */
  stride: number;
  /** Floors climbed since the pressure of the track was measured. */
  climb: number;
}

/** What is remembered. */
export interface Track {
  /** Milliseconds since 1970. */
  timeMs: number;
  /** Number of the building, 0..2^53-1: the positions are in the plane of its map. */
  building: number;
  /** Air pressure at climb 0, hPa; NaN if it was never sent. */
  pressureHpa: number;
  /** Standard deviation of the bias and the stride within a component. */
  biasSigma: number;
  strideSigma: number;
  components: Component[];
}

/** Most components of a track. */
export const COMPONENTS_MAX = 30;
/** Largest distance from the map's origin along an axis, metres. */
export const FARTHEST_METRES = 3200;

const VERSION = 1;
const HEADER_BYTES = 24;
const COMPONENT_BYTES = 11;
const STEPS_A_METRE = 10;
const SIGMA_STEPS = 20;
const BIAS_STEPS = 80;
const STRIDE_STEPS = 200;
const BIAS_SIGMA_STEPS = 200;
const STRIDE_SIGMA_STEPS = 500;
const FLOOR_MAX = 1000;
/**
 * Pressure where there are buildings, and by as much as a track may have climbed since it was measured less or more,
 * hPa.
 */
const PRESSURE_MIN = 200;
const PRESSURE_MAX = 1250;

/** Encodes a track of at most COMPONENTS_MAX components; values out of range are clipped. */
export function encodeTrack({
  timeMs,
  building,
  pressureHpa,
  biasSigma,
  strideSigma,
  components,
}: Track): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + COMPONENT_BYTES * components.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  bytes[1] = components.length;
  bytes[2] = clip(biasSigma * BIAS_SIGMA_STEPS, 0, 255);
  bytes[3] = clip(strideSigma * STRIDE_SIGMA_STEPS, 0, 255);
  view.setFloat64(4, timeMs, true);
  view.setFloat64(12, building, true);
  view.setFloat32(20, pressureHpa, true);
  const most = components.reduce((largest, { weight }) => Math.max(largest, weight), 0);
  let at = HEADER_BYTES;
  for (const { east, north, floor, weight, sigma, bias, stride, climb } of components) {
    view.setInt16(at, clip(east * STEPS_A_METRE, -32_768, 32_767), true);
    view.setInt16(at + 2, clip(north * STEPS_A_METRE, -32_768, 32_767), true);
    view.setInt16(at + 4, clip(floor, -FLOOR_MAX, FLOOR_MAX), true);
    bytes[at + 6] = clip((255 * weight) / most, 1, 255);
    bytes[at + 7] = clip(sigma * SIGMA_STEPS, 0, 255);
    view.setInt8(at + 8, clip(bias * BIAS_STEPS, -128, 127));
    view.setInt8(at + 9, clip((stride - 1) * STRIDE_STEPS, -128, 127));
    view.setInt8(at + 10, clip(climb, -128, 127));
    at += COMPONENT_BYTES;
  }
  return bytes;
}

/** Decodes a track. @returns undefined for bytes that are no track of this version */
export function decodeTrack(bytes: Uint8Array): Track | undefined {
  const count = bytes[1];
  if (bytes[0] !== VERSION || !(count >= 1 && count <= COMPONENTS_MAX)) return undefined;
  if (bytes.length !== HEADER_BYTES + COMPONENT_BYTES * count) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const timeMs = view.getFloat64(4, true);
  const building = view.getFloat64(12, true);
  const pressureHpa = view.getFloat32(20, true);
  if (!Number.isFinite(timeMs) || !(Number.isSafeInteger(building) && building >= 0)) return undefined;
  if (!Number.isNaN(pressureHpa) && !(pressureHpa >= PRESSURE_MIN && pressureHpa <= PRESSURE_MAX)) return undefined;
  const components: Component[] = [];
  let total = 0;
  for (let at = HEADER_BYTES; at < bytes.length; at += COMPONENT_BYTES) {
    const floor = view.getInt16(at + 4, true);
    if (bytes[at + 6] === 0 || Math.abs(floor) > FLOOR_MAX) return undefined;
    total += bytes[at + 6];
    components.push({
      east: view.getInt16(at, true) / STEPS_A_METRE,
      north: view.getInt16(at + 2, true) / STEPS_A_METRE,
      floor,
      weight: bytes[at + 6],
      sigma: bytes[at + 7] / SIGMA_STEPS,
      bias: view.getInt8(at + 8) / BIAS_STEPS,
      stride: 1 + view.getInt8(at + 9) / STRIDE_STEPS,
      climb: view.getInt8(at + 10),
    });
  }
  for (const component of components) component.weight /= total;
  return {
    timeMs,
    building,
    pressureHpa,
    biasSigma: bytes[2] / BIAS_SIGMA_STEPS,
    strideSigma: bytes[3] / STRIDE_SIGMA_STEPS,
    components,
  };
}

function clip(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.round(value)));
}
