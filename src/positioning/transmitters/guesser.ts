// The account that asks, as one that guesses (src/tables/stations/guesses.ts). A device about which it has been wrong at
// three places takes no part in its scans until the week ends. Nor do more devices than it may still be wrong about. So
// what would exceed its guesses is refused before anything is answered, and whether it would be right or not.
//
// Afterwards what was wrong is noted. A device is guessed at a place if the place wins with the vote of the device, or
// has won and the device would take part there: no other device changes an answer by where it is. That depends on the
// others alone, so the place is where these are.

import { ROLE_ABSENT, ROLE_GUEST, ROLE_VOTER } from '../../../wasm/memory.ts';
import { PACKED_LATITUDE, PACKED_LONGITUDE } from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import type { SelectedStations } from '../../core/selected_stations.ts';
import { wrapDegrees } from '../../geo/angle.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import type { Guesses } from '../../tables/stations/guesses.ts';

/** Degrees times 1e7. */
type PlaceE7 = readonly [latitude: number, longitude: number];

/** The account of one query after another. */
export class Guesser {
  /** Devices that the account may still be wrong about; 0 or less where it may guess no more. */
  allowance = 0;
  /** Guesses of this query: those that were wrong and not noted before, and estimates that rest on two devices. */
  guesses = 0;
  private readonly memory: Guesses;
  private account = 0;
  private isTrusted = false;
  private hasSpent = false;
  private hasLeftOut = false;
  private nowMs = 0;

  constructor(memory: Guesses) {
    this.memory = memory;
  }

  /**
   * Begins a query.
   * @param nowMs milliseconds since 1970
   * @returns false if nobody asks who might guess: the operator himself
   */
  begin({ account, isTrusted }: QueryReader, nowMs: number): boolean {
    this.account = account;
    this.guesses = 0;
    if (account === 0) return false;
    const { memory } = this;
    this.isTrusted = isTrusted;
    this.nowMs = nowMs;
    this.allowance = memory.allowance(account, nowMs);
    this.hasSpent = memory.hasSpent(account, nowMs);
    this.hasLeftOut = memory.hasLeftOut(nowMs);
    return true;
  }

  /** How a station may take part, ROLE_*. @param radio its number */
  roleOf(radio: number): number {
    const { memory, nowMs } = this;
    if (this.hasSpent && memory.isSpent(this.account, radio, nowMs)) return ROLE_ABSENT;
    return this.hasLeftOut && memory.isLeftOut(radio, nowMs) ? ROLE_GUEST : ROLE_VOTER;
  }

  /** Notes that a device was guessed at a place where it is not. */
  noteWrong(radio: number, place: PlaceE7): void {
    const { memory, account, isTrusted, nowMs } = this;
    if (memory.note(account, isTrusted, radio, place, nowMs) !== 'known') this.guesses++;
  }

  /** Notes which of the first `count` selected stations were guessed where they are not, once votes are counted. */
  noteSelected(selected: SelectedStations, count: number): void {
    for (const centres of placesOf(selected, count)) {
      const place = middleAround(selected, count, centres[0]);
      for (let s = 0; s < count; s++) {
        if (selected.role[s] === ROLE_ABSENT || selected.alone[s] === 1) continue;
        if (centres.some(centre => centre === s || selected.areNear(s, centre))) continue;
        if (centres.some(centre => winsWith(selected, count, s, centre))) this.noteWrong(selected.radioOf(s), place);
      }
    }
  }
}

/** The stations that lack one vote at most, by place: each is near the first of its place, which has most votes. */
function placesOf(selected: SelectedStations, count: number): number[][] {
  const { votes, votesNeeded } = selected;
  const centres = Array.from({ length: count }, (_, s) => s).filter(s => votes[s] >= votesNeeded - 1);
  const places: number[][] = [];
  for (const s of centres.sort((a, b) => votes[b] - votes[a] || a - b)) {
    const place = places.find(([first]) => selected.areNear(first, s));
    if (place === undefined) places.push([s]);
    else place.push(s);
  }
  return places;
}

/** True if a station that is not near a centre would take part if it were: with its vote, or without. */
function winsWith(selected: SelectedStations, count: number, station: number, centre: number): boolean {
  const { votes, votesNeeded } = selected;
  return votes[centre] >= votesNeeded || hasVoteMore(selected, count, station, centre);
}

/** True if a station has a vote that its device does not have near the centre anyway. */
function hasVoteMore(selected: SelectedStations, count: number, station: number, centre: number): boolean {
  const { device, role } = selected;
  if (role[station] !== ROLE_VOTER) return false;
  for (let s = 0; s < count; s++) {
    if (device[s] === device[station] && role[s] === ROLE_VOTER && selected.areNear(s, centre)) return false;
  }
  return true;
}

/** The middle of the voters near a station. */
function middleAround(selected: SelectedStations, count: number, centre: number): PlaceE7 {
  const { payload, role } = selected;
  const latitude = payload[PAYLOAD_WORDS * centre + PACKED_LATITUDE];
  const longitude = payload[PAYLOAD_WORDS * centre + PACKED_LONGITUDE];
  let north = 0;
  let east = 0;
  let stations = 0;
  for (let s = 0; s < count; s++) {
    if (role[s] !== ROLE_VOTER || !selected.areNear(s, centre)) continue;
    north += payload[PAYLOAD_WORDS * s + PACKED_LATITUDE] - latitude;
    east += wrapDegrees((payload[PAYLOAD_WORDS * s + PACKED_LONGITUDE] - longitude) / 1e7);
    stations++;
  }
  return [Math.round(latitude + north / stations), Math.round(wrapDegrees(longitude / 1e7 + east / stations) * 1e7)];
}
