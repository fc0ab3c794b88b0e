// Bodies of other services that are sent to our own path. Members that are not ours mean nothing, so such a body was
// answered as if nothing were known of its stations. Its stations are read by the dialect that has the member; where
// none can be read, the caller is told where the body belongs. Only a body that has no member of ours for stations or a
// fix is looked at.

import { ApiError, ERRORS } from '../errors.ts';
import { ScannedBody } from '../requests/position_query.ts';
import type { PositionBody } from '../requests/schema.ts';
import type { Dialect } from './dialect.ts';
import { HERE } from './here.ts';
import { type Members, membersOf, objectsIn } from './json_body.ts';
import { NRF_CLOUD } from './nrf_cloud.ts';
import { UNWIRED } from './unwired.ts';

/** What tells where a device is. */
const OWN = ['cellTowers', 'wifiAccessPoints', 'bluetoothBeacons', 'gps'] as const;
/** Lists of cells by their radio type, in bodies of HERE. */
const HERE_LISTS = ['wlan', 'gsm', 'wcdma', 'cdma', 'lte', 'catm', 'nbiot', 'nr'];

/** A member by which a body is known, and whose it is. */
interface Known {
  member: string;
  dialect: Dialect;
}

/**
 * The body of another service as one of ours.
 * @param body as routes have it
 * @returns undefined for a body of ours, for one that says nothing, and for a large one
 * @throws ApiError parseError that names the member and where it belongs
 */
export function readForeign(body: unknown): PositionBody | undefined {
  if (Buffer.isBuffer(body) || (body instanceof ScannedBody && body.observations > 0)) return undefined;
  const sent = membersOf(body instanceof ScannedBody ? body.parsed() : body);
  if (OWN.some(member => sent[member] !== undefined && sent[member] !== null)) return undefined;
  const known = knownMember(sent);
  if (known === undefined) {
    requireNoOther(sent);
    return undefined;
  }
  const [route] = known.dialect.routes;
  const asked = route.read({ url: route.paths[0], languages: undefined, bytes: Buffer.from(JSON.stringify(sent)) });
  const { radioType, cellTowers, wifiAccessPoints, bluetoothBeacons } = 'position' in asked ? asked.position : {};
  const read = { radioType, cellTowers, wifiAccessPoints, bluetoothBeacons };
  if (![cellTowers, wifiAccessPoints, bluetoothBeacons].some(list => (list?.length ?? 0) > 0))
    throw refusal(known.member, `a member of ${known.dialect.title}'s bodies, of which ${route.paths[0]} reads more`);
  return { ...sent, ...read } as PositionBody;
}

/** The member by which a body is known as that of a dialect. */
function knownMember(sent: Members): Known | undefined {
  if (membersOf(sent.wifi).accessPoints !== undefined) return { member: 'wifi.accessPoints', dialect: NRF_CLOUD };
  const ofUnwired = ['cells', 'wifi'].find(member => sent[member] !== undefined);
  if (ofUnwired !== undefined) return { member: ofUnwired, dialect: UNWIRED };
  const ofHere = HERE_LISTS.find(member => sent[member] !== undefined);
  if (ofHere === undefined) return undefined;
  // Both have lists by radio type; they name the id of a cell otherwise.
  return { member: ofHere, dialect: objectsIn(sent[ofHere]).some(({ eci }) => eci !== undefined) ? NRF_CLOUD : HERE };
}

/** @throws ApiError where a member is ours but for its spelling, or is that of submissions */
function requireNoOther(sent: Members): void {
  if (sent.items !== undefined) throw refusal('items', 'a member of submissions, which go to /v2/geosubmit');
  const plain = (name: string) => name.replaceAll(/[^A-Za-z]/g, '').toLowerCase();
  for (const member of Object.keys(sent)) {
    const meant = OWN.find(name => plain(name) === plain(member) && name !== member);
    if (meant !== undefined) throw refusal(member, `not known; the member is called ${meant}`);
  }
}

/** @param what the end of a sentence that begins with the member */
function refusal(member: string, what: string): ApiError {
  return new ApiError(
    ERRORS.parseError,
    `${member} is ${what}. Send cellTowers, wifiAccessPoints, bluetoothBeacons or gps here.`,
  );
}
