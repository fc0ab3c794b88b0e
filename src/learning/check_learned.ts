// What must hold of what is learned about a station, and of its published record. Only records that follow the rules of site.ts and life_cycle.ts are
// published again; the result must then be the one that stands in the tables.

import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';
import { faultOfRecord } from '../tables/stations/check_station.ts';
import { LEARNED_BLOCKED, LEARNED_KNOWN, LEARNED_NEW, type Learned, type Place, type Site, SLOTS } from '../tables/stations/learned.ts';
import { decodeStation, isOnGlobe } from '../tables/stations/station.ts';
import { SITES } from './life_cycle.ts';
import { publishStation } from './publish.ts';
import { placesOfKind } from './site.ts';

const DAY_SECONDS = 86_400;

/** What is wrong with what is learned of a station of a kind; undefined when nothing is. */
export function faultOfLearned(learned: Learned, kind: number): string | undefined {
  const { state, main, base, blocks, isBaseDisowned, sites } = learned;
  if (sites.length === 0 || sites.length > SITES) return `it has ${sites.length} sites, and 1 to ${SITES} are possible`;
  if (base !== undefined) {
    const fault = faultOfRecord(Buffer.from(base));
    if (fault !== undefined) return `the imported record in it is damaged: ${fault}`;
    if (stationOf(base).isLearned) return 'the record that it holds as imported is not';
    if (state === LEARNED_NEW) return 'it is new although it was imported';
  }
  if (isBaseDisowned && base === undefined) return 'it disowns an imported record that it does not hold';
  if (main < 0 && (base === undefined || state !== LEARNED_KNOWN)) return 'it stands for no site';
  if (state === LEARNED_BLOCKED && blocks === 0) return 'it is blocked but was never blocked';
  for (const [s, site] of sites.entries()) {
    const fault = faultOfSite(site, kind);
    if (fault !== undefined) return `site ${s + 1}: ${fault}`;
  }
  return undefined;
}

function faultOfSite({ places, contributors, reports, firstSeconds, lastSeconds }: Site, kind: number): string | undefined {
  const limit = placesOfKind(kind);
  if (places.length === 0 || places.length > limit) return `it has ${places.length} places, and 1 to ${limit} are possible`;
  if (contributors.length > SLOTS) return `it has ${contributors.length} contributors, and ${SLOTS} are possible`;
  if (new Set(contributors).size < contributors.length) return 'a contributor stands in it twice';
  const stranger = contributors.find(contributor => contributor > ACCOUNT_ID_MAX);
  if (stranger !== undefined) return `no account can have the number ${stranger} of its contributor`;
  if (reports === 0) return 'it rests on no report';
  if (firstSeconds > lastSeconds) return 'it was seen last before it was first seen';
  for (const [p, place] of places.entries()) {
    const fault = faultOfPlace(place, lastSeconds);
    if (fault !== undefined) return `place ${p + 1}: ${fault}`;
  }
  return undefined;
}

function faultOfPlace(place: Place, lastSeconds: number): string | undefined {
  const { latitudeE7, longitudeE7, levelDbm, count, lastDay } = place;
  if (!isOnGlobe(latitudeE7, longitudeE7)) return `its position ${latitudeE7 / 1e7}, ${longitudeE7 / 1e7} is not on the globe`;
  if (!Number.isFinite(levelDbm)) return `its level is ${levelDbm}`;
  if (count === 0) return 'it rests on no observation';
  if (lastDay > Math.floor(lastSeconds / DAY_SECONDS)) return 'it was observed later than its site';
  return undefined;
}

/**
 * What is wrong with a station's published record, given what is learned of the station.
 * @param learned sound by `faultOfLearned`
 * @param record undefined when there is none
 * @param isRebaseDue stations were imported that are not joined with what is learned yet
 */
export function faultOfPublished(learned: Learned, kind: number, record: Buffer | undefined, isRebaseDue: boolean): string | undefined {
  if (isRebaseDue && record !== undefined && !stationOf(record).isLearned) return undefined;
  const expected = publishStation(learned, kind);
  if (expected === undefined) return record === undefined ? undefined : 'it is published, but what is learned of it does not count yet';
  if (record === undefined) return 'it is missing, but what is learned of it counts';
  return record.equals(expected) ? undefined : 'its record does not follow from what is learned of it';
}

function stationOf(record: Uint8Array) {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
}
