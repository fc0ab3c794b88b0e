// Builds the maps of buildings whose fingerprints have changed, beside all other work: in a thread of its own where a service runs. A kill leaves the map before
// or the new one; what was not built is built with the next change, or when the service starts.

import { localMetres } from '../../geo/local_metres.ts';
import { buildFingerprintMap } from '../../indoor/fingerprints/build_map.ts';
import { FingerprintMap } from '../../indoor/fingerprints/fingerprint_map.ts';
import { readFingerprintedBuildings } from '../../tables/fingerprints/buildings.ts';
import type { FingerprintedBuilding } from '../../tables/fingerprints/fingerprint.ts';
import type { FingerprintTables } from '../../tables/fingerprints/fingerprint_tables.ts';
import { type BuiltMap, fingerprintsOf, publishMap, staleBuildings } from '../../tables/fingerprints/publish_map.ts';
import { countedFingerprints, fingerprintsBeyondBounds, type PlacedFingerprint } from './counted_fingerprints.ts';

/** What was built. */
export interface BuiltMaps {
  /** Maps that readers can find now. */
  maps: number;
  /** Fingerprints that went because there were too many in a square metre. */
  dropped: number;
}

/**
 * Builds what is stale.
 * @param onMap called with the number of maps so far and of all; an error that it throws ends the work, and maps that were published stay
 * @throws Error when a record is damaged, or the tables cannot be written
 */
export function buildMaps(tables: FingerprintTables, onMap: (done: number, total: number) => void): BuiltMaps {
  const built: BuiltMaps = { maps: 0, dropped: 0 };
  const stale = staleBuildings(tables);
  for (const [i, building] of stale.entries()) {
    tables.root.resetReadTxn();
    const about = readFingerprintedBuildings(tables).get(building.id);
    const keyed = about === undefined ? [] : readPlaced(tables, building.id, about);
    const beyond = fingerprintsBeyondBounds(keyed.map(({ placed }) => placed));
    const kept = keyed.filter(({ placed }) => !beyond.has(placed)).map(({ placed }) => placed);
    const map = about === undefined ? undefined : mapOf(countedFingerprints(kept), about);
    const dropped = keyed.filter(({ placed }) => beyond.has(placed)).map(({ key }) => key);
    if (publishMap(tables, building, map, dropped)) {
      if (map !== undefined) built.maps++;
      built.dropped += dropped.length;
    }
    onMap(i + 1, stale.length);
  }
  return built;
}

function readPlaced(tables: FingerprintTables, id: number, about: FingerprintedBuilding): { key: Buffer; placed: PlacedFingerprint }[] {
  return Array.from(fingerprintsOf(tables, id), ({ key, bytes, fingerprint }) => {
    const { floor, contributor, isTrusted, timeMs, readings } = fingerprint;
    return { key, placed: { floor, contributor, isTrusted, timeMs, readings, bytes, ...localMetres(about, fingerprint) } };
  });
}

/** @returns undefined where nothing counts */
function mapOf(fingerprints: readonly PlacedFingerprint[], { latitude, longitude }: FingerprintedBuilding): BuiltMap | undefined {
  const counted = fingerprints.map(({ floor, eastMetres, northMetres, readings, isTrusted, contributor }) => ({
    floor,
    eastMetres,
    northMetres,
    readings,
    // What operators and trusted keys bring is not bounded.
    ...(isTrusted ? {} : { contributor }),
  }));
  const map = buildFingerprintMap(counted, { latitude, longitude });
  const radios = new FingerprintMap(map).radios();
  return radios.length === 0 ? undefined : { map, radios };
}
