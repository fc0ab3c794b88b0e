// Reads the packed stations of a selection (src/tables/stations/packed_station.ts) and prepares them for the solver:
// where each stands in the frame, how uncertain that is, and its path loss.

import { eastOf, northOf, setFrame } from '../geodesy';
import {
  FIX_COMMON,
  FIX_EXPONENT,
  FIX_LEVEL,
  FIX_OWN,
  FIX_REFERENCE,
  MODEL_EXPONENT,
  MODEL_LEARNED_SHARE,
  MODEL_LEVEL_SIGMA_DB,
  MODEL_POSITION_FLOOR_METRES,
  MODEL_POSITION_SHARE,
  MODEL_REFERENCE_DBM,
  MODEL_REFERENCE_HIGH_BAND_DBM,
  MODEL_SAMPLING_METRES,
  SELECTED_DRIFT,
  SELECTED_EAST,
  SELECTED_FREQUENCY,
  SELECTED_FRESHNESS,
  SELECTED_LEVEL,
  SELECTED_LINKED,
  SELECTED_NORTH,
  SELECTED_PAYLOAD,
  SELECTED_SENT,
  SOLVE_EAST,
  SOLVE_EXPONENT,
  SOLVE_LEVEL,
  SOLVE_NORTH,
  SOLVE_REFERENCE,
  SOLVE_SIGMA_DB,
  SOLVE_SIGMA_METRES,
  SOLVE_WEIGHT,
  STATUS_NOT_FINITE,
  STATUS_OK,
} from '../memory';
import {
  COARSE_METRES,
  EXPONENT_SHIFT,
  FINE_STEPS,
  LEARNED_BIT,
  PACKED_LATITUDE,
  PACKED_LONGITUDE,
  PACKED_RADII,
  PACKED_STATE,
  RADIUS_COARSE,
  REFERENCE_SHIFT,
  SAMPLES_SHIFT,
} from '../packed_station_constants';

/** Frequencies above this are the 5 and 6 GHz bands. */
const HIGH_BAND_MHZ: i32 = 3000;

/** Sets the frame at selected station `origin` and writes the positions of all. Fails if one of them is invalid. */
export function placeSelected(count: i32, origin: i32): i32 {
  if (setFrame(latitudeAt(origin), longitudeAt(origin)) !== STATUS_OK) return STATUS_NOT_FINITE;
  for (let s = 0; s < count; s++) {
    const east = eastOf(longitudeAt(s));
    const north = northOf(latitudeAt(s));
    if (Number.isNaN(east + north)) return STATUS_NOT_FINITE;
    store<f64>(s << 3, east, SELECTED_EAST);
    store<f64>(s << 3, north, SELECTED_NORTH);
  }
  return STATUS_OK;
}

/** Copies the stations that belong with others into the solver's buffers. @returns their number */
export function gatherLinked(count: i32, model: i32, leastDriftMetres: f64): i32 {
  let gathered = 0;
  for (let s = 0; s < count; s++)
    if (load<i32>(s << 2, SELECTED_LINKED) === 1) gather(s, gathered++, model, leastDriftMetres);
  return gathered;
}

/** Copies selected station `s` into the solver's buffers at `to`. */
function gather(s: i32, to: i32, model: i32, leastDriftMetres: f64): void {
  const from = s << 3;
  const at = to << 3;
  const state = load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_STATE << 2));
  const ownExponent = <f64>(state >>> EXPONENT_SHIFT) / 10;
  const fitted = ownExponent > 0;
  const isHigh = load<i32>(s << 2, SELECTED_FREQUENCY) > HIGH_BAND_MHZ;
  const usual = isHigh ? load<f64>(model, MODEL_REFERENCE_HIGH_BAND_DBM) : load<f64>(model, MODEL_REFERENCE_DBM);
  const learned = (state & LEARNED_BIT) !== 0;
  const share = learned ? load<f64>(model, MODEL_LEARNED_SHARE) : load<f64>(model, MODEL_POSITION_SHARE);
  const r50Metres = radiusOf(load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_RADII << 2)) & 0xffff);
  const position = Math.max(load<f64>(model, MODEL_POSITION_FLOOR_METRES), r50Metres * share);
  const samplingMetres = load<f64>(model, MODEL_SAMPLING_METRES);
  const sampling = learned ? (samplingMetres * samplingMetres) / <f64>(1 << ((state >> SAMPLES_SHIFT) & 15)) : 0;
  const drift = load<f64>(from, SELECTED_DRIFT);
  const level = load<f64>(from, SELECTED_LEVEL);
  const reference = fitted ? <f64>((state << (24 - REFERENCE_SHIFT)) >> 24) : usual;
  const exponent = fitted ? ownExponent : load<f64>(model, MODEL_EXPONENT);
  store<f64>(at, sampling + leastDriftMetres * leastDriftMetres, FIX_COMMON);
  store<f64>(at, level, FIX_LEVEL);
  store<i32>(at, fitted ? 1 : 0, FIX_OWN);
  store<f64>(at, reference, FIX_REFERENCE);
  store<f64>(at, exponent, FIX_EXPONENT);
  store<f64>(at, load<f64>(from, SELECTED_EAST), SOLVE_EAST);
  store<f64>(at, load<f64>(from, SELECTED_NORTH), SOLVE_NORTH);
  store<f64>(at, load<i32>(s << 2, SELECTED_SENT) === 1 ? level : NaN, SOLVE_LEVEL);
  store<f64>(at, reference, SOLVE_REFERENCE);
  store<f64>(at, exponent, SOLVE_EXPONENT);
  store<f64>(at, load<f64>(model, MODEL_LEVEL_SIGMA_DB), SOLVE_SIGMA_DB);
  store<f64>(at, Math.sqrt(position * position + sampling + drift * drift), SOLVE_SIGMA_METRES);
  store<f64>(at, load<f64>(from, SELECTED_FRESHNESS), SOLVE_WEIGHT);
}

/** Metres of a radius code. */
export function radiusOf(code: i32): f64 {
  return code < RADIUS_COARSE ? <f64>code / FINE_STEPS : <f64>((code ^ RADIUS_COARSE) * COARSE_METRES);
}

function latitudeAt(s: i32): f64 {
  return <f64>load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_LATITUDE << 2)) / 1e7;
}

function longitudeAt(s: i32): f64 {
  return <f64>load<i32>(s << 4, SELECTED_PAYLOAD + (PACKED_LONGITUDE << 2)) / 1e7;
}
