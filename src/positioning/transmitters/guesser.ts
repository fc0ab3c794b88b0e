// The account that asks, as one that guesses (src/tables/stations/guesses.ts). A device about which it has been wrong
// three times takes no part in its scans until the week ends. Nor do more devices than it may still be wrong about. So
// what would exceed its guesses is refused before anything is answered, and whether it would be right or not.
// Several threads may answer it at once. Where others have noted the last guess that this query was to make, it is
// answered again.
//
// Afterwards what was wrong is noted. In a scan that is answered that is whatever is elsewhere. In one that is not,
// each device might have been the one that its place lacks. So all of them are noted, wherever they are: what is
// noted tells no more of a device than the answer, which it would change if it were at a place of the scan.

import { ROLE_ABSENT, ROLE_GUEST, ROLE_VOTER } from '../../../wasm/memory.ts';
import { PACKED_LATITUDE, PACKED_LONGITUDE } from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import type { SelectedStations } from '../../core/selected_stations.ts';
import { wrapDegrees } from '../../geo/angle.ts';
import type { QueryReader } from '../../radio/query/reader.ts';
import type { Guesses, Noted, PlaceE7 } from '../../tables/stations/guesses.ts';

/** From so many devices on, an odd number may have two places that lack one of them. */
const TWO_PLACES_MIN = 5;

/** The account of one query after another. */
export class Guesser {
  /** Devices that the account may still be wrong about; below 2 where it may guess no more. */
  allowance = 0;
  /** Guesses of this query: those that were wrong and not noted before, and estimates that rest on two devices. */
  guesses = 0;
  /** The query makes a guess that the account may make no more, as other threads have noted so much since it began. */
  isOutdated = false;
  private readonly memory: Guesses;
  private account = 0;
  private isTrusted = false;
  private hasEntries = false;
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
    this.isTrusted = isTrusted;
    this.nowMs = nowMs;
    this.readMemory();
    return true;
  }

  /** Begins the query again if it is outdated. @returns whether it is */
  beginAgain(): boolean {
    if (!this.isOutdated) return false;
    this.readMemory();
    return true;
  }

  /** How a station may take part, ROLE_*. @param radio its number */
  roleOf(radio: number): number {
    const { memory, nowMs } = this;
    if (this.hasEntries && !memory.mayGuess(this.account, radio, nowMs)) return ROLE_ABSENT;
    return this.hasLeftOut && memory.isLeftOut(radio, nowMs) ? ROLE_GUEST : ROLE_VOTER;
  }

  /** Notes devices that are not where a scan was answered. */
  noteElsewhere(radios: readonly number[], place: PlaceE7): void {
    const { memory, account, isTrusted, nowMs } = this;
    this.charge(
      radios.filter(radio => this.isNew(memory.noteElsewhere(account, isTrusted, radio, place, nowMs))).length,
    );
  }

  /** Notes devices that were found. */
  noteFound(radios: readonly number[]): void {
    const { memory, account, nowMs } = this;
    if (!this.hasEntriesNow()) return;
    for (const radio of radios) if (!memory.markFound(account, radio, nowMs)) this.isOutdated = true;
  }

  /**
   * Notes the devices of a scan that was not answered. Half of them may be guessed at once, at a place of the others.
   * @param devices how many there are
   */
  noteUnanswered(radios: readonly number[], devices: number): void {
    const { memory, account, nowMs } = this;
    const set = radios.reduce((sum, radio) => (sum + Math.imul(radio ^ (radio / 65_536), 0x9e3779b1)) | 0, 0);
    const hasTwoPlaces = devices >= TWO_PLACES_MIN && devices % 2 === 1;
    let wrong = 0;
    for (const radio of radios) {
      const isNew = this.isNew(memory.noteBeside(account, radio, set, nowMs));
      const isNewAgain = hasTwoPlaces && memory.noteBeside(account, radio, ~set, nowMs) !== 'before';
      if (isNew || isNewAgain) wrong++;
    }
    this.charge(Math.min(wrong, devices >> 1));
  }

  /**
   * Notes what the selected stations tell, once they were located.
   * @param count of the stations @param taken how many of them take part
   */
  noteSelected(selected: SelectedStations, count: number, taken: number): void {
    if (taken === count && !this.hasEntriesNow()) return;
    const { role, alone, takesPart, device } = selected;
    const all = Array.from({ length: count }, (_, s) => s);
    const secret = all.filter(s => role[s] !== ROLE_ABSENT && alone[s] === 0);
    const radios = (stations: readonly number[]) => stations.map(s => selected.radioOf(s));
    const isAnswered = taken > 1;
    if (isAnswered) {
      this.noteFound(radios(secret.filter(s => takesPart[s] === 1)));
      const elsewhere = secret.filter(s => takesPart[s] === 0);
      if (elsewhere.length > 0)
        this.noteElsewhere(
          radios(elsewhere),
          middleOf(
            selected,
            all.filter(s => takesPart[s] === 1),
          ),
        );
    } else if (selected.canWin) {
      const voters = all.filter(s => role[s] === ROLE_VOTER);
      this.noteUnanswered(radios(secret.filter(s => role[s] === ROLE_VOTER)), new Set(voters.map(s => device[s])).size);
    }
  }

  private readMemory(): void {
    const { memory, account, nowMs } = this;
    this.isOutdated = false;
    this.allowance = memory.allowance(account, nowMs);
    this.hasEntries = memory.hasEntries(account, nowMs);
    this.hasLeftOut = memory.hasLeftOut(nowMs);
  }

  /** Other threads may have noted the first guess of the account since the query began. */
  private hasEntriesNow(): boolean {
    this.hasEntries ||= this.memory.hasEntries(this.account, this.nowMs);
    return this.hasEntries;
  }

  private isNew(noted: Noted): boolean {
    if (noted === 'noRoom') this.isOutdated = true;
    return noted !== 'before';
  }

  private charge(wrong: number): void {
    if (wrong === 0) return;
    this.guesses += wrong;
    this.memory.charge(this.account, wrong, this.nowMs);
  }
}

/** The middle of stations. */
function middleOf({ payload }: SelectedStations, stations: readonly number[]): PlaceE7 {
  const [first] = stations;
  const latitude = payload[PAYLOAD_WORDS * first + PACKED_LATITUDE];
  const longitude = payload[PAYLOAD_WORDS * first + PACKED_LONGITUDE];
  let north = 0;
  let east = 0;
  for (const s of stations) {
    north += (payload[PAYLOAD_WORDS * s + PACKED_LATITUDE] - latitude) / stations.length;
    east += wrapDegrees((payload[PAYLOAD_WORDS * s + PACKED_LONGITUDE] - longitude) / 1e7) / stations.length;
  }
  return [Math.round(latitude + north), Math.round(wrapDegrees(longitude / 1e7 + east) * 1e7)];
}
