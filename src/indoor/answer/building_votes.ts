// Decides whether the access points of a scan may place a device in a building, by the rules that hold for places
// elsewhere (wasm/transmitters/links.ts, src/positioning/transmitters/guesser.ts). All known devices that were sent
// vote: those that some map or the tables of stations know. A building has the votes of those that its map knows,
// wherever the tables have them. It needs more than half of all, at least three, and of two both; and they are of two
// blocks of addresses. A building is one place: what its map knows its operator has surveyed and publishes.

import { ROLE_ABSENT, ROLE_GUEST, ROLE_VOTER } from '../../../wasm/memory.ts';
import type { KnownScan } from '../../positioning/transmitters/selection.ts';
import { blockOfRadio, isSameDevice } from '../../radio/mac.ts';
import { radioNumber } from '../../radio/station_key.ts';
import type { FingerprintedBuilding } from '../tables/fingerprints/fingerprint_record.ts';
import type { RadioIndex } from '../tables/fingerprints/reader.ts';

/** Of more radios nothing is answered by access points. */
const SCAN_MAX = 300;
const VOTES_MIN = 3;

/** An access point that is known. */
interface Voter {
  observation: number;
  radio: number;
  role: number;
  /** The first voter of the same device. */
  device: Voter;
}

/** The access points of one scan that are known. */
export class BuildingVotes {
  private readonly scan: KnownScan;
  private readonly index: RadioIndex;
  private readonly voters: Voter[];
  private readonly devices: number;
  /** Observations that take no part. */
  private readonly out = new Set<number>();

  /** @param index radios that maps know */
  constructor(scan: KnownScan, index: RadioIndex) {
    this.scan = scan;
    this.index = index;
    this.voters = this.read();
    this.devices = new Set(this.voters.filter(({ role }) => role === ROLE_VOTER).map(({ device }) => device)).size;
    const hasGuests = this.devices > 2;
    for (const { role, observation } of this.voters)
      if (role === ROLE_ABSENT || (role === ROLE_GUEST && !hasGuests)) this.out.add(observation);
  }

  /** True if access point `i` of the scan takes no part. */
  isOut(i: number): boolean {
    return this.scan.query.submittedRadios > SCAN_MAX || this.out.has(i);
  }

  /** True if the access points may place the device in a building. @param id of the building */
  wins(id: number): boolean {
    const voters = this.votersOf(id).filter(({ role }) => role === ROLE_VOTER);
    const [first, ...others] = voters;
    if (!others.some(({ radio }) => blockOfRadio(radio) !== blockOfRadio(first.radio))) return false;
    return new Set(voters.map(({ device }) => device)).size >= this.needed;
  }

  /** Notes that the device was placed in a building: what its map does not know is elsewhere. */
  noteWon(id: number, { latitude, longitude }: FingerprintedBuilding): void {
    const { guesser } = this.scan;
    const inside = this.votersOf(id);
    const elsewhere = this.voters.filter(each => each.role !== ROLE_ABSENT && !inside.includes(each));
    guesser?.noteFound(inside.map(({ radio }) => radio));
    guesser?.noteElsewhere(
      elsewhere.map(({ radio }) => radio),
      [Math.round(latitude * 1e7), Math.round(longitude * 1e7)],
    );
    if (guesser !== undefined && this.devices === 2) guesser.guesses++;
  }

  private get needed(): number {
    return this.devices === 2 ? 2 : Math.max(VOTES_MIN, (this.devices >> 1) + 1);
  }

  /** Those that the map of a building knows. */
  private votersOf(id: number): Voter[] {
    return this.voters.filter(({ radio, role }) => {
      let isInside = false;
      this.index.forEachBuilding(radio, building => {
        isInside ||= building === id;
      });
      return isInside && role !== ROLE_ABSENT;
    });
  }

  /** Each known radio once; no more than the account may be wrong about, the strongest. */
  private read(): Voter[] {
    const { query, stations, guesser } = this.scan;
    const { memory } = query;
    const voters: Voter[] = [];
    const radios = new Set<number>();
    if (query.submittedRadios > SCAN_MAX) return voters;
    const known = Array.from({ length: query.wifi }, (_, i) => i).sort(
      (a, b) => query.signalDbm(b) - query.signalDbm(a),
    );
    for (const observation of known) {
      const radio = radioNumber(memory.u8, memory.i32, query.at(observation));
      if (radios.has(radio) || !(stations.isKnown(observation) || this.index.has(radio))) continue;
      radios.add(radio);
      if (guesser !== undefined && voters.length >= guesser.allowance) {
        this.out.add(observation);
        continue;
      }
      const voter = { observation, radio, role: guesser?.roleOf(radio) ?? ROLE_VOTER } as Voter;
      voter.device = voter;
      join(voter, voters);
      voters.push(voter);
    }
    for (const voter of voters) voter.device = rootOf(voter);
    return voters;
  }
}

/** Notes of which devices before it a voter is. */
function join(voter: Voter, voters: readonly Voter[]): void {
  if (voter.role === ROLE_ABSENT) return;
  for (const other of voters)
    if (other.role !== ROLE_ABSENT && isSameDevice(voter.radio, other.radio)) rootOf(voter).device = rootOf(other);
}

function rootOf(voter: Voter): Voter {
  let root = voter;
  while (root.device !== root) root = root.device;
  return root;
}
