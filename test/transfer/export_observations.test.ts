import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Origin, ReportDraft } from '../../src/intake/draft.ts';
import { screenReport } from '../../src/intake/screen.ts';
import { Tally } from '../../src/intake/tally.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import {
  decodeReport,
  packReports,
  type Report,
  unpackReports,
  unpackZeros,
} from '../../src/tables/observations/report.ts';
import { exportObservations, lineOfReport } from '../../src/transfer/export_observations.ts';
import { importObservations } from '../../src/transfer/import_observations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const NOW = Date.UTC(2026, 0, 1);
const ORIGIN: Origin = { contributor: 7, isTrusted: false, track: 4711, receivedMs: NOW };
const DRAFT: ReportDraft = {
  timeMs: NOW - 5_000,
  latitude: 50.8,
  longitude: 4.4,
  accuracyMetres: 4.25,
  wifiAccessPoints: [{ macAddress: '88:f7:c7:00:00:01', signalStrength: -60, channel: 11 }],
};

function reportOf(draft: ReportDraft, origin = ORIGIN): Report {
  const report = screenReport(draft, origin, new Tally());
  if (report === undefined) throw new Error('The rules refuse this draft.');
  return report;
}

/** What an import makes of lines. */
async function importLines(text: string): Promise<Report[]> {
  const path = join(temporaryFolder(), 'export.jsonl');
  writeFileSync(path, text);
  const found: Report[] = [];
  await importObservations({
    files: [path],
    stdin: Readable.from([]),
    onProgress: () => {},
    append: async packed => {
      for (const { record } of unpackReports(packed)) found.push(decodeReport(unpackZeros(record)));
      return { accepted: 0, duplicates: 0 };
    },
  });
  return found;
}

test('a line is an item of a submission, with what only we need beside it', () => {
  const line = lineOfReport(
    reportOf({
      ...DRAFT,
      speed: 3.5,
      floor: -1,
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: 206,
          mobileNetworkCode: 1,
          locationAreaCode: 251,
          cellId: 51764001,
          primaryScramblingCode: 0,
        },
        { radioType: 'cdma', mobileNetworkCode: 4139, locationAreaCode: 12, cellId: 3611, signalStrength: -90 },
      ],
      bluetoothBeacons: [
        { uuid: 'f7826da64fa24e988024bc5b71e0893e', major: 1, minor: 65535, signalStrength: -70, age: 100 },
      ],
    }),
  );
  expect(line.endsWith('}\n')).toBe(true);
  expect(JSON.parse(line)).toEqual({
    timestamp: NOW - 5_000,
    position: { latitude: 50.8, longitude: 4.4, accuracy: 4.25, speed: 3.5, floor: -1 },
    wifiAccessPoints: [{ macAddress: '88:f7:c7:00:00:01', signalStrength: -60, channel: 11 }],
    bluetoothBeacons: [
      { uuid: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', major: 1, minor: 65535, signalStrength: -70, age: 100 },
    ],
    cellTowers: [
      {
        radioType: 'lte',
        mobileCountryCode: 206,
        mobileNetworkCode: 1,
        locationAreaCode: 251,
        cellId: 51764001,
        primaryScramblingCode: 0,
        serving: 1,
      },
      {
        radioType: 'cdma',
        mobileNetworkCode: 4139,
        locationAreaCode: 12,
        cellId: 3611,
        signalStrength: -90,
        serving: 0,
      },
    ],
    sextant: { contributor: 7, trusted: false, track: 4711, timed: true },
  });
});

test('a report whose serving cell was left out has none after its import either', async () => {
  const cell = { radioType: 'lte', mobileCountryCode: 206, mobileNetworkCode: 1, locationAreaCode: 251 };
  const report = reportOf({
    ...DRAFT,
    cellTowers: [
      { ...cell, cellId: 268435455, serving: 1 },
      { ...cell, cellId: 51764001 },
    ],
  });
  expect(await importLines(lineOfReport(report))).toEqual([report]);
});

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const mac = fc.integer({ min: 0, max: 2 ** 48 - 1 }).map(number => number.toString(16).padStart(12, '0'));
const signalStrength = optional(fc.integer({ min: -110, max: -10 }));
const age = optional(fc.integer({ min: 0, max: 19_000 }));
const accessPoint = fc.record({
  macAddress: mac,
  ssid: fc.constantFrom(undefined, 'home', 'home_nomap'),
  signalStrength,
  age,
  channel: optional(fc.integer({ min: 0, max: 233 })),
  frequency: optional(fc.integer({ min: 2_400, max: 7_125 })),
});
const beacon = fc.oneof(
  fc.record({ macAddress: mac, signalStrength, age }),
  fc.record({ uuid: fc.uuid(), major: fc.nat(65_535), minor: fc.nat(65_535), signalStrength, age }),
);
const cell = fc.record({
  radioType: fc.constantFrom('gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr', undefined),
  mobileCountryCode: fc.constantFrom(206, 206, 206, 204),
  mobileNetworkCode: fc.constantFrom(1, 10, 20),
  locationAreaCode: fc.oneof(fc.nat(65_535), fc.nat(16_777_215)),
  cellId: fc.oneof(
    fc.constantFrom(0, 65_535, 268_435_455),
    fc.nat(65_535),
    fc.nat(268_435_455),
    fc.maxSafeNat().map(id => id % 2 ** 36),
  ),
  primaryScramblingCode: optional(fc.nat(1_023)),
  timingAdvance: optional(fc.nat(70)),
  serving: fc.constantFrom(undefined, 0, 1),
  signalStrength,
  age,
});
const measured = (min: number, max: number) => optional(fc.double({ min, max, noNaN: true }).map(number => number + 0));
const anyDraft = fc
  .record({
    timeMs: optional(fc.double({ min: 946_684_800_000, max: NOW, noNaN: true })),
    latitude: fc.double({ min: 50.5, max: 51, noNaN: true }),
    longitude: fc.double({ min: 4, max: 5, noNaN: true }),
    accuracyMetres: measured(0, 300),
    positionAgeMs: measured(-19_000, 19_000),
    altitude: measured(-500, 5_500),
    heading: measured(0, 360),
    speed: measured(0, 50),
    wifiAccessPoints: fc.array(accessPoint, { maxLength: 4 }),
    bluetoothBeacons: fc.array(beacon, { maxLength: 3 }),
    cellTowers: fc.array(cell, { maxLength: 4 }),
  })
  .map(
    draft =>
      Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as unknown as ReportDraft,
  );
const anyOrigin = fc.record({
  contributor: fc.nat(1_048_575),
  isTrusted: fc.boolean(),
  track: fc.oneof(fc.constant(0), fc.maxSafeNat()),
  receivedMs: fc.integer({ min: NOW, max: NOW + 1e9 }),
});

test('any report is the same to the last bit after export and import', async () => {
  let reports = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyDraft, anyOrigin), { minLength: 10, maxLength: 40, size: 'max' }),
      async drawn => {
        const expected = drawn.flatMap(([draft, origin]) => screenReport(draft, origin, new Tally()) ?? []);
        fc.pre(expected.length > 0);
        reports += expected.length;
        const imported = await importLines(expected.map(lineOfReport).join(''));
        expect(imported).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
  expect(reports).toBeGreaterThan(300);
});

/** A log of `count` reports, a second apart, received in pairs. */
async function filledLog(count: number): Promise<{ folder: string; lines: string[] }> {
  const folder = temporaryFolder();
  const log = new ObservationLog(folder, 'commit');
  onTestFinished(() => log.close());
  const reports = Array.from({ length: count }, (_, i) => reportOf({ ...DRAFT, timeMs: NOW - 1_000_000 + i * 1_000 }));
  for (let i = 0; i < count; i += 2) await log.append(packReports(reports.slice(i, i + 2)), NOW + i);
  return { folder, lines: reports.map(lineOfReport) };
}

async function exported(folder: string, sinceMs = 0) {
  const slices = [];
  for await (const slice of exportObservations(folder, sinceMs)) slices.push(slice);
  return slices;
}

test('the log comes in the order of arrival, in slices that tell how far they are', async () => {
  const { folder, lines } = await filledLog(1_100);
  const slices = await exported(folder);
  expect(slices.map(({ text }) => text).join('')).toBe(lines.join(''));
  expect(slices.map(({ count, done, total }) => [count, done, total])).toEqual([
    [500, 500, 1_100],
    [500, 1_000, 1_100],
    [100, 1_100, 1_100],
  ]);
});

test('what arrived before a time can be left out', async () => {
  const { folder, lines } = await filledLog(10);
  expect((await exported(folder, NOW + 5)).map(({ text }) => text).join('')).toBe(lines.slice(6).join(''));
  expect(await exported(folder, NOW + 100)).toMatchObject([{ text: '', count: 0 }]);
});

test('an empty log has no lines', async () => {
  const { folder } = await filledLog(0);
  expect(await exported(folder)).toEqual([]);
});

test('an export that is given up lets go of the log', async () => {
  const { folder } = await filledLog(1_100);
  const lines = exportObservations(folder, 0);
  await lines.next();
  await lines.return(undefined);
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});
