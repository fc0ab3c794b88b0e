// Drawn fingerprints, at metres east and north of the origin of drawn buildings.

import type { FingerprintsOfBuilding } from '../../../src/indoor/tables/fingerprints/change_fingerprints.ts';
import type { StoredFingerprint } from '../../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { encodeFingerprint } from '../../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { degreesAt, type Metres } from '../buildings/drawn.ts';

/** A fingerprint of the operator: levels by radio. */
export function drawnFingerprint(
  point: Metres,
  levels: Readonly<Record<number, number>>,
  changes: Partial<StoredFingerprint> = {},
): StoredFingerprint {
  const [longitude, latitude] = degreesAt(point);
  return {
    timeMs: 1_600_000_000_000,
    floor: 0,
    latitude: Math.round(latitude * 1e7) / 1e7,
    longitude: Math.round(longitude * 1e7) / 1e7,
    contributor: 0,
    isTrusted: true,
    track: 0,
    identity: new Uint8Array(),
    readings: Object.entries(levels).map(([radio, levelDbm]) => ({
      radio: Number(radio),
      levelDbm,
      ageMs: Number.NaN,
    })),
    ...changes,
  };
}

/** What an import has of one building. */
export function drawnGroup(name: string, ...fingerprints: StoredFingerprint[]): FingerprintsOfBuilding {
  return {
    about: { modelId: undefined, buildingId: undefined, name },
    latitude: fingerprints[0].latitude,
    longitude: fingerprints[0].longitude,
    floors: new Set(fingerprints.map(({ floor }) => floor)),
    records: fingerprints.map(encodeFingerprint),
  };
}
