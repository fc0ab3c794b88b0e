// Builds the maps of buildings whose fingerprints have changed, beside all other work: in a thread of its own where a
// service runs. A kill leaves the map before or the new one; what was not built is built with the next change, or when
// the service starts.
//
// A building whose map cannot be built keeps that which it has until its fingerprints change again: it is told once,
// and does not keep others waiting.

import { localMetres } from '../../geo/plane.ts';
import { NotWritten } from '../../tables/environment/commit.ts';
import { numberKey } from '../../tables/environment/row.ts';
import { buildFingerprintMap } from '../fingerprints/build_map.ts';
import type { Fingerprint } from '../fingerprints/fingerprint.ts';
import { FingerprintMap } from '../fingerprints/fingerprint_map.ts';
import { readFingerprintedBuildings } from '../tables/fingerprints/buildings.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint_record.ts';
import type { FingerprintTables } from '../tables/fingerprints/fingerprint_tables.ts';
import {
  type BuiltMap,
  markMapFailed,
  publishMap,
  recordsOf,
  staleBuildings,
} from '../tables/fingerprints/publish_map.ts';
import { countedFingerprints, fingerprintsBeyondBounds, type PlacedFingerprint } from './counted_fingerprints.ts';
import { PlacedRecord, ReadingSource, recordsWithin } from './placed_record.ts';

/** What was built. */
export interface BuiltMaps {
  /** Maps that readers can find now. */
  maps: number;
  /** Maps that went, as nothing of their building counts any more. */
  gone: number;
  /** Fingerprints that went because there were too many in a square metre. */
  dropped: number;
  /** Fingerprints that stay in the tables and are in no map, as their building has too many. */
  beyond: number;
}

/** What was built where nothing was. */
export const NOTHING_BUILT: Readonly<BuiltMaps> = { maps: 0, gone: 0, dropped: 0, beyond: 0 };

/**
 * Bytes of the records of which one map is made at most: so much fits in a thread with a gigabyte, whatever they hold.
 */
const BUILDING_BYTES_MAX = 32 * 1_048_576;
/** Fingerprints that are put into places between two calls of `onStep`. */
const STEP = 1_000;

/**
 * Builds what is stale.
 * @param onMap called often with the number of maps so far and of all; an error that it throws ends the work, and maps
 *   that were published stay
 * @param bytesMax bytes of records of which one map is made at most
 * @throws Error when the maps of some buildings could not be built, after all others were; or when the tables cannot be
 *   written
 */
export function buildMaps(
  tables: FingerprintTables,
  onMap: (done: number, total: number) => void,
  bytesMax = BUILDING_BYTES_MAX,
): BuiltMaps {
  const built = { ...NOTHING_BUILT };
  const failures: string[] = [];
  const stale = staleBuildings(tables);
  for (const [i, building] of stale.entries()) {
    tables.root.resetReadTxn();
    let isStopped = false;
    const onStep = (): void => {
      try {
        onMap(i, stale.length);
      } catch (error) {
        isStopped = true;
        throw error;
      }
    };
    try {
      const made = make(tables, building.id, bytesMax, onStep);
      const hadMap = tables.maps.doesExist(numberKey(building.id));
      if (publishMap(tables, building, made.map, made.dropped)) {
        if (made.map !== undefined) built.maps++;
        else if (hadMap) built.gone++;
        built.dropped += made.dropped.length;
        built.beyond += made.beyond;
      }
    } catch (error) {
      if (isStopped || error instanceof NotWritten) throw error;
      markMapFailed(tables, building);
      failures.push(`The map of building ${building.id} of fingerprints cannot be built: ${(error as Error).message}`);
    }
    onMap(i + 1, stale.length);
  }
  if (failures.length > 0) throw new Error(failures.join(' '));
  return built;
}

interface Made {
  /** undefined = nothing counts. */
  map: BuiltMap | undefined;
  /** Keys of fingerprints that are too many in a square metre. */
  dropped: Buffer[];
  /** Fingerprints that are too many in the building. */
  beyond: number;
}

function make(tables: FingerprintTables, id: number, bytesMax: number, onStep: () => void): Made {
  const about = readFingerprintedBuildings(tables).get(id);
  if (about === undefined) return { map: undefined, dropped: [], beyond: 0 };
  const source = new ReadingSource(onStep);
  const records = recordsWithin(() => recordsOf(tables, id), bytesMax, source);
  const keyed = Array.from(records.rows, ({ key, record }) => {
    const fingerprint = source.decode(record);
    return { key, placed: new PlacedRecord(record, fingerprint, localMetres(about, fingerprint), source) };
  });
  const beyond = fingerprintsBeyondBounds(keyed.map(({ placed }) => placed));
  const kept = keyed.filter(({ placed }) => !beyond.has(placed)).map(({ placed }) => placed);
  const dropped = keyed.filter(({ placed }) => beyond.has(placed)).map(({ key }) => key);
  return { map: mapOf(countedFingerprints(kept), about, onStep), dropped, beyond: records.beyond };
}

/** @returns undefined where nothing counts */
function mapOf(
  fingerprints: readonly PlacedFingerprint[],
  { latitude, longitude }: FingerprintedBuilding,
  onStep: () => void,
): BuiltMap | undefined {
  const map = buildFingerprintMap(
    { [Symbol.iterator]: () => countedIn(fingerprints, onStep) },
    { latitude, longitude },
    onStep,
  );
  const radios = new FingerprintMap(map).radios();
  return radios.length === 0 ? undefined : { map, radios };
}

function* countedIn(fingerprints: readonly PlacedFingerprint[], onStep: () => void): Generator<Fingerprint> {
  for (const [
    i,
    { floor, eastMetres, northMetres, readings, isTrusted, contributor, timeMs },
  ] of fingerprints.entries()) {
    if (i % STEP === STEP - 1) onStep();
    // What operators and trusted keys bring is not bounded.
    yield { floor, eastMetres, northMetres, readings, timeMs, ...(isTrusted ? {} : { contributor }) };
  }
}
