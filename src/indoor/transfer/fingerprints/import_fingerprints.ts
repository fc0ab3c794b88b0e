// Imports fingerprints: reads all files, screens each scan by the rules of intake, finds its building, and puts all
// into the tables in one transaction, in place of what an import of the same name has brought. If anything is wrong,
// nothing changes.

import type { Readable } from 'node:stream';
import { distanceMetres } from '../../../geo/distance.ts';
import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import type { Origin } from '../../../intake/draft.ts';
import { screenReport } from '../../../intake/screen.ts';
import { Tally } from '../../../intake/tally.ts';
import type { StationSet } from '../../../radio/query/station_set.ts';
import { closeEnvironment } from '../../../tables/environment/commit.ts';
import { withoutStations } from '../../../tables/observations/log_row.ts';
import { nameOfFiles, refuseLoss, STDIN } from '../../../tables/sources/source_name.ts';
import { sizeOfFiles } from '../../../transfer/files/text_file.ts';
import { buildingAt, type NamedBuilding } from '../../building_at.ts';
import { fingerprintReadings } from '../../intake/fingerprint_readings.ts';
import { BuildingReader } from '../../tables/buildings/reader.ts';
import {
  countLost,
  type FingerprintsOfBuilding,
  putFingerprintSource,
} from '../../tables/fingerprints/change_fingerprints.ts';
import {
  encodeFingerprint,
  FINGERPRINT_ACCURACY_MAX,
  REACH_METRES,
} from '../../tables/fingerprints/fingerprint_record.ts';
import { openOrCreateFingerprints } from '../../tables/fingerprints/fingerprint_tables.ts';
import { type FingerprintFile, openFingerprintFile } from './fingerprint_file.ts';
import type { FoundScan } from './found_scan.ts';

/** What to import. */
interface FingerprintImport {
  /** Data folder. */
  folder: string;
  files: readonly string[];
  stdin: Readable;
  /** Name of the source; by default that of the files. */
  source?: string | undefined;
  /** More than half of what it held may go. */
  replace?: boolean | undefined;
  /** Stations whose owners object to being mapped. */
  optedOut: StationSet;
  /** Called often; an error that it throws ends the import. */
  onProgress(progress: FingerprintProgress): void;
}

/**
 * Progress: scans being read, by bytes of the files, and fingerprints being written. `total` is 0 where it is not
 * known.
 */
interface FingerprintProgress {
  phase: 'scans' | 'fingerprints';
  rows: number;
  done: number;
  total: number;
}

/** The result of an import. */
export interface FingerprintSummary {
  /** Name of the source. */
  source: string;
  imported: { fingerprints: number; buildings: number; floors: number };
  /** Scans that are no fingerprints, by the reason. */
  leftOut: Record<string, number>;
  /** Fingerprints that an earlier import of the name has brought. */
  removed: number;
}

/** All records wait in memory for the transaction. */
const RECORD_BYTES_MAX = 2 ** 30;
const PROGRESS_MS = 250;

interface Gathered extends FingerprintsOfBuilding {
  about: NamedBuilding;
  floors: Set<number>;
  records: Uint8Array[];
  /** Where the file has no name for people: the footprints that contain its scans, with their number. */
  footprints: Map<string, { about: NamedBuilding; scans: number }>;
}

/**
 * Imports fingerprints.
 * @throws ReplacementRefused when too much would go; Error with full sentences when a file cannot be used, or the
 *   tables cannot be written; the fingerprints are
 *   then as before
 */
export async function importFingerprints(wanted: FingerprintImport): Promise<FingerprintSummary> {
  const total = sizeOfFiles(wanted.files);
  const source = wanted.source ?? nameOfFiles(wanted.files);
  const buildings = new BuildingReader(wanted.folder);
  const gathering = new Gathering(wanted, buildings, wanted.files.includes(STDIN) ? 0 : total);
  try {
    for (const path of wanted.files) await gathering.read(await openFingerprintFile(path, wanted.stdin));
  } finally {
    await buildings.close();
  }
  const { groups, leftOut, fingerprints } = gathering;
  if (fingerprints === 0)
    throw new Error(`There are no fingerprints in ${wanted.files.join(', ')}${describeLeftOut(leftOut)}.`);
  const tables = await openOrCreateFingerprints(wanted.folder);
  try {
    const { held, lost } = countLost(tables, source, groups);
    if (wanted.replace !== true) refuseLoss(source, 'fingerprints', held, lost);
    const removed = putFingerprintSource(tables, source, groups, done =>
      wanted.onProgress({ phase: 'fingerprints', rows: done, done, total: fingerprints }),
    );
    const floors = groups.reduce((sum, group) => sum + group.floors.size, 0);
    return { source, imported: { fingerprints, buildings: groups.length, floors }, leftOut, removed };
  } finally {
    await closeEnvironment(tables.root);
  }
}

class Gathering {
  readonly leftOut: Record<string, number> = {};
  fingerprints = 0;
  private readonly wanted: FingerprintImport;
  private readonly buildings: BuildingReader;
  private readonly total: number;
  private readonly byBuilding = new Map<string, Gathered>();
  private readonly tally = new Tally();
  private readonly origin: Origin = { contributor: 0, isTrusted: true, track: 0, receivedMs: Date.now() };
  private scans = 0;
  private bytes = 0;
  private bytesBefore = 0;
  private reportedAt = 0;

  constructor(wanted: FingerprintImport, buildings: BuildingReader, total: number) {
    this.wanted = wanted;
    this.buildings = buildings;
    this.total = total;
  }

  /**
   * By building. One that only the makers of the file can name is that whose footprint contains at least half of its
   * scans.
   */
  get groups(): FingerprintsOfBuilding[] {
    return Array.from(this.byBuilding.values(), group => {
      const most = [...group.footprints.values()].sort((a, b) => b.scans - a.scans)[0];
      return most !== undefined && most.scans >= group.records.length / 2 ? { ...group, about: most.about } : group;
    });
  }

  async read(file: FingerprintFile): Promise<void> {
    try {
      for await (const scans of file.scans()) {
        for (const scan of scans) this.add(scan);
        this.buildings.release();
        this.report(this.bytesBefore + file.bytesRead());
      }
      this.bytesBefore += file.bytesRead();
    } finally {
      file.close();
    }
  }

  private add(scan: FoundScan): void {
    this.scans++;
    const reason = this.take(scan);
    if (reason !== undefined) this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1;
  }

  /** @returns why the scan is no fingerprint */
  private take({ floor, building, otherwise, draft }: FoundScan): string | undefined {
    if (!(floor >= FLOOR_INDEX_MIN && floor <= FLOOR_INDEX_MAX)) return 'floor';
    if ((draft.accuracyMetres ?? 0) > FINGERPRINT_ACCURACY_MAX) return 'accuracy';
    const screened = screenReport(draft, this.origin, this.tally);
    if (screened === undefined) return 'rules of intake';
    const readings = fingerprintReadings(withoutStations(screened, this.wanted.optedOut).observations);
    if (readings.length === 0) return 'nothing heard';
    const footprint = building === undefined ? buildingAt(this.buildings, draft.latitude, draft.longitude) : undefined;
    const about = building ?? otherwise ?? footprint;
    if (about === undefined) return 'no building';
    const { latitude, longitude, timeMs, contributor, isTrusted, track } = screened;
    const identity = new Uint8Array();
    const known = draft.timeMs === undefined ? Number.NaN : timeMs;
    const record = encodeFingerprint({
      timeMs: known,
      floor,
      latitude,
      longitude,
      contributor,
      isTrusted,
      track,
      identity,
      readings,
    });
    const group = this.group(about, latitude, longitude);
    group.records.push(record);
    group.floors.add(floor);
    if (footprint !== undefined) countFootprint(group, footprint);
    this.fingerprints++;
    this.bytes += record.length;
    if (this.bytes > RECORD_BYTES_MAX)
      throw new Error(
        `The fingerprints take more than ${RECORD_BYTES_MAX / 1_048_576} MiB: import the files one by one.`,
      );
    return undefined;
  }

  private group(about: NamedBuilding, latitude: number, longitude: number): Gathered {
    // There is a "Main building" in many towns.
    let key = keyOf(about);
    for (let known = this.byBuilding.get(key); known !== undefined; known = this.byBuilding.get(key)) {
      if (distanceMetres(latitude, longitude, known.latitude, known.longitude) <= REACH_METRES) return known;
      key += ' ';
    }
    const group: Gathered = { about, latitude, longitude, floors: new Set(), records: [], footprints: new Map() };
    this.byBuilding.set(key, group);
    return group;
  }

  private report(bytesRead: number): void {
    const now = performance.now();
    if (now - this.reportedAt < PROGRESS_MS) return;
    this.reportedAt = now;
    this.wanted.onProgress({ phase: 'scans', rows: this.scans, done: bytesRead, total: this.total });
  }
}

function countFootprint({ footprints }: Gathered, about: NamedBuilding): void {
  const key = keyOf(about);
  const known = footprints.get(key) ?? { about, scans: 0 };
  known.scans++;
  footprints.set(key, known);
}

function keyOf({ modelId, buildingId, name }: NamedBuilding): string {
  return JSON.stringify([modelId ?? null, buildingId ?? null, name]);
}

/** The reasons with their numbers, for messages. */
function describeLeftOut(leftOut: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} by ${reason}`);
  return reasons.length === 0 ? '' : `: left out ${reasons.join(', ')}`;
}
