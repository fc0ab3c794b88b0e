// What a report heard, as a fingerprint keeps it: one level for each radio.
//
// The networks of an access point send from one antenna, so their readings are one, of their mean level and the age of
// the youngest. An iBeacon with an address is in a report twice, and is two radios here as well: some requests name
// both, some one of them. Cells are too far away to tell rooms apart.

import { AGE_ABSENT, OBSERVATION_BYTES, SIGNAL_ABSENT } from '../../radio/query/layout.ts';
import { StoredObservations } from '../../radio/query/stored.ts';
import { radioNumber } from '../../radio/station_key.ts';
import type { StoredReading } from '../tables/fingerprints/fingerprint_record.ts';

/** What a reading holds. No radio is heard at more than that in a room. */
const LEVEL_DBM_MIN = -127;
const LEVEL_DBM_MAX = 0;

/**
 * The radios of a report.
 * @param observations as in `Report`
 * @returns in the order in which they were heard first; empty where nothing of it says where in a building the device
 *   is
 */
export function fingerprintReadings(observations: Uint8Array): StoredReading[] {
  // Aligned, as numbers are read of whole words.
  const bytes = new Uint8Array(observations);
  const words = new Int32Array(bytes.buffer, 0, (bytes.length / OBSERVATION_BYTES) * (OBSERVATION_BYTES / 4));
  const stored = new StoredObservations(bytes);
  const sums = new Map<number, { sum: number; count: number; ageMs: number }>();
  for (let i = 0; i < stored.count; i++) {
    const level = stored.signalDbm(i);
    if (level === SIGNAL_ABSENT || level < LEVEL_DBM_MIN || level > LEVEL_DBM_MAX) continue;
    const radio = radioNumber(bytes, words, stored.at(i));
    if (radio < 0) continue;
    const known = sums.get(radio) ?? { sum: 0, count: 0, ageMs: Number.NaN };
    known.sum += level;
    known.count++;
    const age = stored.ageMs(i);
    if (age !== AGE_ABSENT && !(age >= known.ageMs)) known.ageMs = age;
    sums.set(radio, known);
  }
  return Array.from(sums, ([radio, { sum, count, ageMs }]) => ({ radio, levelDbm: Math.round(sum / count), ageMs }));
}
