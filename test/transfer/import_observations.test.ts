import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KIND_LTE, KIND_WCDMA } from '../../src/radio/kind.ts';
import { StationSet } from '../../src/radio/query/station_set.ts';
import { StoredObservations } from '../../src/radio/query/stored.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { type Report, trackOf, unpackReports } from '../../src/tables/observations/report.ts';
import {
  importObservations,
  type ObservationImport,
  type ObservationProgress,
} from '../../src/transfer/import_observations.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { databaseOf } from './formats/database_of.ts';

const TIME_MS = Date.UTC(2025, 5, 1);

/** A scan line that passes the rules; `n` makes it another. */
function scan(n: number, more: object = {}): string {
  const aps = [
    ['88:f7:c7:00:00:01', -60, 11],
    ['88:f7:c7:00:00:02', -70, 36],
  ];
  return `${JSON.stringify({ g: 'walk', t: TIME_MS + n * 1000, lat: 50.8 + n / 1e6, lon: 4.4, acc: 5, aps, ...more })}\n`;
}

function scans(first: number, count: number): string {
  return Array.from({ length: count }, (_, i) => scan(first + i)).join('');
}

/** A log, and files beside it. */
function workplace() {
  const log = new ObservationLog(temporaryFolder(), 'commit');
  onTestFinished(() => log.close());
  const files = temporaryFolder();
  return {
    log,
    write(name: string, content: string | Buffer): string {
      writeFileSync(join(files, name), content);
      return join(files, name);
    },
    run(paths: string[], more: Partial<ObservationImport> = {}) {
      return importObservations({
        files: paths,
        stdin: Readable.from([]),
        append: reports => log.append(reports, Date.now()),
        onProgress: () => {},
        ...more,
      });
    },
    reports: (): Report[] => log.read(1, 100_000).map(({ report }) => report),
  };
}

test("reports go to the log in the order of the files, as the operator's own", async () => {
  const { write, run, reports } = workplace();
  const summary = await run([write('a', scans(0, 2)), write('b.gz', gzipSync(scan(2, { g: 'ride' })))]);
  expect(summary).toEqual({
    reports: 3,
    accepted: 3,
    duplicates: 0,
    refused: 0,
    refusedByRule: {},
    observations: 6,
    observationsByRule: {},
    unreadable: 0,
    unreadableByRule: {},
    refusedLines: [],
  });
  const [first, second, third] = reports();
  expect(first).toMatchObject({
    timeMs: TIME_MS,
    isTimed: true,
    latitude: 50.8,
    contributor: 0,
    isTrusted: true,
    track: trackOf(0, 'walk'),
  });
  expect(second.track).toBe(first.track);
  expect(third.track).toBe(trackOf(0, 'ride'));
});

test('a file imported again counts nothing twice, under any name, and what was appended to it is new', async () => {
  const { write, run } = workplace();
  const tracks = (count: number) => Array.from({ length: count }, (_, i) => scan(i, { g: null })).join('');
  await run([write('a', tracks(5))]);
  expect(await run([write('b.gz', gzipSync(tracks(7)))])).toMatchObject({ accepted: 2, duplicates: 5 });
});

test('what is refused is counted by its rule, and the first lines are kept', async () => {
  const { write, run, reports } = workplace();
  const cell = { radio: 'lte', mcc: 206, mnc: 1, lac: 251, cid: 51764, rss: -80 };
  const content = [
    'no json\n',
    scan(1, { lat: 0.5, lon: 0.5 }),
    scan(2, { t: 0 }),
    scan(3, { aps: [['ff:ff:ff:ff:ff:ff', -60, 1]] }),
    scan(4, { cells: [cell, { ...cell, cid: null, psc: 7 }] }),
    '[]\n',
  ];
  const summary = await run([write('a', scan(0) + content.join(''))]);
  expect(summary).toMatchObject({
    reports: 5,
    accepted: 2,
    refused: 3,
    refusedByRule: { 'null island': 1, time: 1, 'nothing left': 1 },
    observations: 5,
    observationsByRule: { 'group address': 1, neighbour: 1 },
    unreadable: 2,
    unreadableByRule: { json: 2 },
  });
  expect(summary.refusedLines.map(({ line, why }) => `${line}: ${why.slice(0, 40)}`)).toEqual([
    '2: the line is not a JSON object',
    '3: null island: Latitude and longitude both',
    '4: time: The time lies before the year 2000',
    '5: group address, nothing left: The report ',
    '7: the line is not a JSON object',
  ]);
  expect(reports()).toHaveLength(2);
});

test('a report that states no time has the time of the import, and counts once', async () => {
  const { write, run, reports } = workplace();
  const before = Date.now();
  const path = write('a', scan(0, { t: null }));
  await run([path]);
  expect(await run([path])).toMatchObject({ accepted: 0, duplicates: 1 });
  const [report] = reports();
  expect(report.isTimed).toBe(false);
  expect(report.timeMs).toBeGreaterThanOrEqual(before);
});

test('a report whose time cannot be read is refused and counted', async () => {
  const { write, run, reports } = workplace();
  expect(await run([write('a', scan(0, { t: 'when' }) + scan(1))])).toMatchObject({
    accepted: 1,
    unreadable: 1,
    unreadableByRule: { time: 1 },
  });
  expect(reports().map(({ isTimed, timeMs }) => [isTimed, timeMs])).toEqual([[true, TIME_MS + 1000]]);
});

describe('a file of which less than half is taken', () => {
  const TOWER = 'lat,lon,mcc,mnc,lac,cellid,signal,measured_at,act\n';
  const tower = (n: number, act: string, latitude = 50.8) =>
    `${latitude},4.4,206,1,251,${51764 + n},-71,2025-06-01 10:00:0${n},${act}\n`;

  test('is named, with what was wrong most often, and what could be read is imported', async () => {
    const { write, run } = workplace();
    const good = write('good.csv', TOWER + tower(0, 'LTE'));
    const poor = write(
      'poor.csv',
      TOWER + tower(1, 'LTE') + tower(2, 'IWLAN') + tower(3, 'IWLAN') + tower(4, 'LTE', 0.5),
    );
    expect(await run([good, poor])).toMatchObject({
      accepted: 2,
      unreadable: 2,
      mostlyRefused: [{ file: poor, rows: 4, taken: 1, reason: 'the radio type "IWLAN" is unknown', reasonRows: 2 }],
    });
  });

  test('may have been refused by the rules of intake', async () => {
    const { write, run } = workplace();
    const rows = [0, 1, 2].map(n => tower(n, 'LTE').replace(',206,1,', ',310,1,')).join('');
    expect((await run([write('a.csv', TOWER + rows)])).mostlyRefused).toMatchObject([
      { rows: 3, taken: 0, reason: expect.stringMatching(/^outside its country: /), reasonRows: 3 },
    ]);
  });

  test('is none where half of it is, also where the log holds that already', async () => {
    const { write, run } = workplace();
    const half = write('half.csv', TOWER + tower(1, 'LTE') + tower(2, 'IWLAN'));
    expect(await run([half])).not.toHaveProperty('mostlyRefused');
    expect(await run([half])).not.toHaveProperty('mostlyRefused');
    expect(await run([write('empty.jsonl', '{"items":[]}\n')])).not.toHaveProperty('mostlyRefused');
  });

  test('counts the rows of a report, not the report', async () => {
    const { write, run } = workplace();
    const one = Array.from({ length: 9 }, (_, n) => tower(n, 'LTE').replace(/:0\d,/, ':00,')).join('');
    expect(await run([write('a.csv', TOWER + one + tower(1, 'IWLAN') + tower(2, 'IWLAN'))])).not.toHaveProperty(
      'mostlyRefused',
    );
  });

  test('cells of any list may have the names of networks', async () => {
    const { write, run, reports } = workplace();
    const cell = { radio: 'LTE+', mcc: 206, mnc: 1, lac: 251, cid: 51764000, rss: -80 };
    const item = {
      timestamp: TIME_MS,
      radioType: 'HSPA+',
      position: { latitude: 50.8, longitude: 4.4 },
      cellTowers: [{ mobileCountryCode: 206, mobileNetworkCode: 1, locationAreaCode: 251, cellId: 517640 }],
    };
    await run([write('a', scan(1, { aps: null, cells: [cell, null] }) + JSON.stringify(item))]);
    expect(reports().map(({ observations }) => new StoredObservations(observations).kind(0))).toEqual([
      KIND_LTE,
      KIND_WCDMA,
    ]);
  });
});

test('files without reports add nothing', async () => {
  const { write, run } = workplace();
  for (const text of [
    '{"items":[]}\n\n',
    '[]',
    '[\n]\n',
    '{\n  "items": [\n  ]\n}\n',
    'MAC,FirstSeen,RSSI,Lat,Lon,Type\n',
  ])
    expect(await run([write('a', text)])).toMatchObject({ reports: 0, accepted: 0, unreadable: 0 });
});

describe('a file of which nothing is understood', () => {
  const kismet = (packets: Record<string, string | number>[]) =>
    databaseOf([
      {
        name: 'KISMET',
        columns: 'kismet_version TEXT, db_version INT',
        rows: [{ kismet_version: '1', db_version: 7 }],
      },
      {
        name: 'devices',
        columns: 'last_time INT, devmac TEXT, phyname TEXT, type TEXT, avg_lat REAL, avg_lon REAL, device BLOB',
        rows: [],
      },
      { name: 'packets', columns: 'ts_sec INT, phyname TEXT, sourcemac TEXT, lat REAL, lon REAL', rows: packets },
    ]);
  const packet = { ts_sec: 1_714_979_289, phyname: 'IEEE802.11', sourcemac: '88:f7:c7:00:00:01', lat: 50.8, lon: 4.4 };

  test('is an error that says what was seen', async () => {
    const { write, run, reports } = workplace();
    const log = write('a.kismet', kismet([packet, packet]));
    await expect(run([log])).rejects.toThrow(
      `${log} holds nothing to import: no station in it was heard at a position; its tables have these rows: devices 0, ` +
        'packets 2.',
    );
    // Beside one that is understood, which stays.
    const { accepted, mostlyRefused } = await run([write('b.jsonl', scan(1)), log]);
    expect([accepted, mostlyRefused, reports().length]).toEqual([
      1,
      [{ file: log, rows: 0, taken: 0, reason: expect.stringContaining('packets 2'), reasonRows: 0 }],
      1,
    ]);
    expect(await run([write('c.kismet', kismet([]))])).toMatchObject({ reports: 0, accepted: 0 });
  });

  test('of JSON without an object counts as one line that is refused', async () => {
    const { write, run } = workplace();
    for (const text of ['[1, 2]\n', '["a"]', '[[1,\n2]]'])
      expect(await run([write('a', text)])).toMatchObject({
        unreadable: 1,
        mostlyRefused: [{ rows: 1, taken: 0, reason: 'there is no JSON object in the file' }],
      });
  });
});

test('stations that opted out are counted with those that ask not to be mapped', async () => {
  const { write, run, log } = workplace();
  log.optedOut = new StationSet([macKey(0x88f7c7000001)]);
  const summary = await run([write('a', scans(0, 3))]);
  expect(summary).toMatchObject({ accepted: 3, refused: 0, observationsByRule: { 'opted out': 3 } });
});

test('standard input stands among files, once', async () => {
  const { write, run, reports } = workplace();
  await run([write('a', scan(0)), '-', write('b', scan(2))], { stdin: Readable.from([gzipSync(scan(1))]) });
  expect(reports().map(({ timeMs }) => (timeMs - TIME_MS) / 1000)).toEqual([0, 1, 2]);
  await expect(run(['-', '-'])).rejects.toThrow('Standard input can be read only once, but "-" is given more often.');
});

describe('batches', () => {
  test('are appended a few at a time, and the next ones wait for them', async () => {
    const { write, run, log } = workplace();
    let underWay = 0;
    let most = 0;
    const sizes: number[] = [];
    const append: ObservationImport['append'] = async reports => {
      most = Math.max(most, ++underWay);
      sizes.push([...unpackReports(reports)].length);
      await new Promise(resolve => setImmediate(resolve));
      return log.append(reports, 0).finally(() => underWay--);
    };
    expect(await run([write('a', scans(0, 8_500))], { append })).toMatchObject({ accepted: 8_500 });
    expect(sizes).toEqual([...Array(8).fill(1_000), 500]);
    expect(most).toBe(3);
  });

  test('of reports with hundreds of stations end early', async () => {
    const { write, run } = workplace();
    const aps = Array.from({ length: 900 }, (_, i) => [(0x88f7c7000000 + i).toString(16), -60, 1]);
    const sizes: number[] = [];
    const append: ObservationImport['append'] = async reports => {
      const accepted = [...unpackReports(reports)].length;
      sizes.push(accepted);
      return { accepted, duplicates: 0 };
    };
    await run([write('a', Array.from({ length: 100 }, (_, i) => scan(i, { aps })).join(''))], { append });
    expect(sizes).toEqual([30, 30, 30, 10]);
  });

  test('that the log does not take end the import, with what was under way settled', async () => {
    const { write, run, log } = workplace();
    let calls = 0;
    let settled = 0;
    const append: ObservationImport['append'] = async reports => {
      try {
        if (++calls === 2) throw new Error('The disk is full.');
        return await log.append(reports, 0);
      } finally {
        settled++;
      }
    };
    await expect(run([write('a', scans(0, 10_000))], { append })).rejects.toThrow('The disk is full.');
    expect(settled).toBe(calls);
    expect(calls).toBeLessThan(10);
  });
});

test('an import that is told to stop leaves what is acknowledged', async () => {
  const { write, run, reports } = workplace();
  const onProgress = () => {
    throw new Error('The service is stopping');
  };
  await expect(run([write('a', scans(0, 3_000))], { onProgress })).rejects.toThrow('The service is stopping');
  expect(reports().length % 1_000).toBe(0);
});

test('progress goes through the bytes of all files', async () => {
  const { write, run } = workplace();
  const paths = [write('a', scans(0, 10)), write('b', scans(10, 10))];
  const seen: ObservationProgress[] = [];
  await run(paths, { onProgress: progress => seen.push(progress) });
  expect(seen[0]).toEqual({
    phase: 'importing',
    rows: 10,
    bytesDone: scans(0, 10).length,
    bytesTotal: scans(0, 20).length,
  });
});

describe('a wrong file', () => {
  test('among good ones ends the import before anything is imported', async () => {
    const { write, run, reports } = workplace();
    await expect(run([write('good', scan(0)), write('wrong', 'bssid,lat,lon\n')])).rejects.toThrow(
      'wrong is not a file of measurements',
    );
    await expect(run([write('good', scan(0)), write('wrong', '')])).rejects.toThrow('wrong is empty.');
    await expect(run([write('good', scan(0)), '/nothing/there'])).rejects.toThrow('/nothing/there does not exist.');
    await expect(run([write('good', scan(0))], { format: 'wigle' })).rejects.toThrow('good is not wigle, but scans.');
    expect(reports()).toEqual([]);
  });

  test('that is cut off is imported up to there, and again without counting twice', async () => {
    const { write, run, reports } = workplace();
    const whole = gzipSync(
      Array.from({ length: 6_000 }, (_, i) => scan(i, { lon: 4 + Math.abs(Math.sin(i)) })).join(''),
    );
    const path = write('a.gz', whole.subarray(0, whole.length - 1_000));
    await expect(run([path])).rejects.toThrow(
      /a\.gz is a damaged gzip file after line ([\d,]+): unexpected end of file\. What stands before it is imported \(\1 reports\); importing it again counts none of them twice\.$/,
    );
    const { length } = reports();
    expect(length).toBeGreaterThan(1_000);
    expect(await run([write('a.gz', whole)])).toMatchObject({ accepted: 6_000 - length, duplicates: length });
  });

  test('that is cut off before anything could be imported says no more than that', async () => {
    const { write, run } = workplace();
    const path = write('a.gz', gzipSync(scans(0, 100)).subarray(0, 100));
    await expect(run([path])).rejects.toThrow(/a\.gz is a damaged gzip file: unexpected end of file\.$/);
  });
});

describe('lines of our own export', () => {
  const item = {
    timestamp: TIME_MS,
    position: { latitude: 50.8, longitude: 4.4 },
    wifiAccessPoints: [{ macAddress: '88:f7:c7:00:00:01', signalStrength: -60 }],
  };

  test('keep their contributor, trust, track, and whether they named their time', async () => {
    const { write, run, reports } = workplace();
    const lines = [
      { ...item, sextant: { contributor: 7, trusted: false, track: 4711, timed: true } },
      { ...item, sextant: { contributor: 8, trusted: true, track: 0, timed: false } },
    ];
    await run([write('a', lines.map(line => `${JSON.stringify(line)}\n`).join(''))]);
    expect(reports()).toMatchObject([
      { contributor: 7, isTrusted: false, track: 4711, isTimed: true, timeMs: TIME_MS },
      { contributor: 8, isTrusted: true, track: 0, isTimed: false, timeMs: TIME_MS },
    ]);
  });

  test("of no one else are the operator's", async () => {
    const { write, run, reports } = workplace();
    await run([write('a', JSON.stringify(item))]);
    expect(reports()).toMatchObject([{ contributor: 0, isTrusted: true }]);
  });
});

const REAL = '../shared/data/positioning';
if (!existsSync(REAL)) console.log(`skipped: imports of real measurements, because ${REAL} is absent`);
describe.skipIf(!existsSync(REAL))('real data', () => {
  test('scans of four cities are accepted, but for neighbours known by code alone and times without a day', async () => {
    const { run, log } = workplace();
    const cells = readdirSync(REAL)
      .filter(name => name.startsWith('cells_'))
      .map(name => `${REAL}/${name}`);
    const summary = await run(cells);
    expect(summary).toMatchObject({
      reports: 20_986,
      // Scans without a time that are equal to another one count once.
      accepted: 16_458,
      duplicates: 934,
      // The walks with Unicom tell the time since their beginning.
      refusedByRule: { time: 3_594 },
      observationsByRule: { neighbour: 1_368 },
      unreadable: 0,
    });
    expect(log.count).toBe(summary.accepted);
  });

  test('indoor walks are left to the evaluation, which has the floor plans', async () => {
    const { run } = workplace();
    await expect(run([`${REAL}/ilc20_site1_dev.jsonl.gz`])).rejects.toThrow('metres of a floor plan');
  });
});
