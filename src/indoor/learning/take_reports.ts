// Takes the reports that name their floor out of the observation log, and makes fingerprints of those that stand in the
// footprint of a known building. All others are learned as any report, and their floor is not used.
//
// The log is read from where it was left the last time, so that it is read once. After an import or a removal of
// buildings what came of it goes, and it is read from its start, as old reports may stand in other buildings; where
// there never were buildings, it is not read at all. When the log was written anew (`forget`), what came of the old one
// goes first: what is kept is always what the reports of the log say, but for reports that were dropped from it by age.

import { closeEnvironment } from '../../tables/environment/commit.ts';
import type { LoggedReport } from '../../tables/observations/log_row.ts';
import type { ObservationLog } from '../../tables/observations/observation_log.ts';
import { reportIdentity } from '../../tables/observations/report.ts';
import { buildingAt } from '../building_at.ts';
import { fingerprintReadings } from '../intake/fingerprint_readings.ts';
import { BuildingReader } from '../tables/buildings/reader.ts';
import {
  addReports,
  clearReportsBehind,
  type FloorReport,
  placeReportsAnew,
} from '../tables/fingerprints/change_fingerprints.ts';
import { FINGERPRINT_ACCURACY_MAX } from '../tables/fingerprints/fingerprint_record.ts';
import {
  type LogProgress,
  openFingerprints,
  openOrCreateFingerprints,
  readProgress,
} from '../tables/fingerprints/fingerprint_tables.ts';

const SLICE_REPORTS = 500;
/** Reports with a floor that are stored in one transaction. */
const BATCH_REPORTS = 2_000;
/** Reports after which it is noted how far the log was looked at, whatever they have. */
const LOOKED_REPORTS = 100_000;

/** Radios of an untrusted report that are kept, the strongest: more are not heard in one place, but invented easily. */
const UNTRUSTED_RADIOS_MAX = 100;
/** A position that is older than this is not where the scan was made: people walk 4 m meanwhile. */
const POSITION_AGE_MS_MAX = 3_000;

/** Where the log stands, for reading. */
type ReadLog = Pick<ObservationLog, 'read' | 'firstSequence' | 'lastSequence' | 'droppedThrough' | 'rewrites'>;

/**
 * Takes what has come.
 * @param folder data folder
 * @param onProgress called with the reports looked at and their number; an error that it throws ends the work, and what
 *   was stored stays
 * @throws Error when a table is damaged or cannot be written
 */
export async function takeReports(
  folder: string,
  log: ReadLog,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const buildings = new BuildingReader(folder);
  try {
    const last = log.lastSequence;
    const footprints = buildings.lastId;
    if (footprints === 0) return;
    const { rewrites } = log;
    const before = await readLogProgress(folder);
    const isSame = before.log === rewrites && before.footprints === footprints && before.sequence <= last;
    if (isSame && before.sequence === last) return;
    const first = Math.max(isSame ? before.sequence + 1 : 1, log.firstSequence);
    const tables = await openOrCreateFingerprints(folder);
    try {
      if (before.footprints !== footprints)
        placeReportsAnew(tables, log.droppedThrough, (...point) => buildingAt(buildings, ...point));
      if (before.log !== rewrites || before.footprints !== footprints) clearReportsBehind(tables, log.droppedThrough);
      // A power failure may take the end of the log.
      else if (before.sequence > last) clearReportsBehind(tables, last);
      let batch: FloorReport[] = [];
      let stored = first - 1;
      if (first > last) addReports(tables, [], { sequence: last, log: rewrites, footprints });
      for (let next = first; next <= last; ) {
        const slice = log.read(next, SLICE_REPORTS).filter(({ sequence }) => sequence <= last);
        for (const logged of slice) batch.push(...fingerprintOf(logged, buildings));
        buildings.release();
        next = slice.length === 0 ? last + 1 : slice[slice.length - 1].sequence + 1;
        if (batch.length >= BATCH_REPORTS || next - stored > LOOKED_REPORTS || next > last) {
          addReports(tables, batch, { sequence: next - 1, log: rewrites, footprints });
          stored = next - 1;
          batch = [];
        }
        onProgress(next - first, last - first + 1);
      }
    } finally {
      await closeEnvironment(tables.root);
    }
  } finally {
    await buildings.close();
  }
}

async function readLogProgress(folder: string): Promise<LogProgress> {
  const tables = openFingerprints(folder);
  if (tables === undefined) return { sequence: 0, log: 0, footprints: 0 };
  const progress = readProgress(tables);
  await tables.root.close();
  return progress;
}

/** The fingerprint that a report is, if it is one. */
function fingerprintOf({ sequence, report }: LoggedReport, buildings: BuildingReader): FloorReport[] {
  const { floor, latitude, longitude, accuracyMetres, positionAgeMs, timeMs, contributor, isTrusted, track } = report;
  if (Number.isNaN(floor) || !(accuracyMetres <= FINGERPRINT_ACCURACY_MAX)) return [];
  if (Math.abs(positionAgeMs) > POSITION_AGE_MS_MAX) return [];
  const heard = fingerprintReadings(report.observations);
  const readings = isTrusted
    ? heard
    : heard.toSorted((a, b) => b.levelDbm - a.levelDbm || a.radio - b.radio).slice(0, UNTRUSTED_RADIOS_MAX);
  const about = readings.length === 0 ? undefined : buildingAt(buildings, latitude, longitude);
  if (about === undefined) return [];
  const identity = reportIdentity(report);
  return [
    {
      sequence,
      about,
      fingerprint: { timeMs, floor, latitude, longitude, contributor, isTrusted, track, identity, readings },
    },
  ];
}
