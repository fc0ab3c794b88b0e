// Every kind of record with a reader of its own, cut and with flipped bits: what LMDB holds is verified before it is
// used. Accounts stand in account_record.test.ts.

import { describe, test } from 'vitest';
import { BUILDING, FLOOR, type Rings, ROOM } from '../../src/indoor/tables/buildings/building.ts';
import { decodeFingerprint, encodeFingerprint } from '../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { CODE_ABSENT } from '../../src/radio/query/layout.ts';
import { networkNumber, writeCellKey } from '../../src/radio/station_key.ts';
import { decodeIdentity, decodeReportValue, identityRow, reportValue } from '../../src/tables/observations/log_row.ts';
import { packReports, unpackReports } from '../../src/tables/observations/report.ts';
import { decodePlace, encodePlace } from '../../src/tables/places/place_record.ts';
import {
  type LogEntry,
  readRecord,
  recordBytesAtMost,
  recordLength,
  writeRecord,
} from '../../src/tables/requests/record.ts';
import { decodeMark } from '../../src/tables/stations/areas.ts';
import { decodeTrack, encodeTrack } from '../../src/tables/stations/knowledge.ts';
import {
  decodeLearned,
  encodeLearned,
  type Learned,
  newLearned,
  type ReferencePoint,
} from '../../src/tables/stations/learned_record.ts';
import { packStation } from '../../src/tables/stations/packed_station.ts';
import { RadioMap } from '../../src/tables/stations/radio_map.ts';
import {
  decodeStation,
  encodeStation,
  type Station,
  stationAt,
  stationView,
} from '../../src/tables/stations/station.ts';
import { drawnPlace } from '../kits/places/numbered_houses.ts';
import { numberedReport } from '../kits/radio/reports.ts';
import { expectCutsRefused, expectFlipsSound, firstFault } from './damaged_record.ts';
import { buildings, fingerprints, floors, rooms } from './schema_records.ts';

function isPosition({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function stationRecord(changes: Partial<Station> = {}): Buffer {
  const record = Buffer.alloc(24);
  const station = {
    ...stationAt(60.17, 24.94, 120, 400),
    samples: 9,
    lastSeenDay: 20_000,
    referenceDbm: -40,
    exponent: 2.8,
    ...changes,
  };
  encodeStation(new DataView(record.buffer, record.byteOffset, 24), 0, station);
  return record;
}

function problemWithStation(found: Station): string | undefined {
  return firstFault({
    position: isPosition(found),
    radii: [found.r50Metres, found.r95Metres].every(metres => metres >= 0 && metres <= 131_068),
    samples: found.samples >= 1 && found.samples <= 65_535,
    state: found.state >= 1 && found.state <= 3,
    referenceDbm: found.referenceDbm <= 0 && found.referenceDbm >= -127,
    exponent: found.exponent >= 0 && found.exponent <= 25.5,
  });
}

describe('a station, an area, a cell under its code', () => {
  const read = (bytes: Buffer) => decodeStation(stationView(bytes), 0);

  test.each([
    ['imported', stationRecord()],
    ['learned', stationRecord({ isLearned: true, state: 2 })],
    ['at the end of the ranges', stationRecord({ latitude: -90, longitude: 180, r50Metres: 0, r95Metres: 131_068 })],
  ])('%s', (_, record) => {
    expectCutsRefused(record, read);
    expectFlipsSound(record, read, problemWithStation);
  });

  test('as the cache packs it', () => {
    const key = Buffer.alloc(12);
    writeCellKey(key, 0, 11, networkNumber(11, 244, 91), 1_206, 5_173_764);
    const pack = (bytes: Buffer) => {
      const words = new Int32Array(4);
      packStation(key, 0, stationView(bytes), words, 0);
      return { latitude: words[0] / 1e7, longitude: words[1] / 1e7 };
    };
    expectCutsRefused(stationRecord(), pack);
    expectFlipsSound(stationRecord(), pack, found => firstFault({ position: isPosition(found) }));
  });
});

function pointAt(latitudeE7: number, heard: ReferencePoint['heard']): ReferencePoint {
  return {
    latitudeE7,
    longitudeE7: 249_400_000,
    weight: 2.5,
    levelDbm: -71.5,
    count: 4,
    lastDay: 20_000,
    slot: 0,
    heard,
  };
}

function learnedRecord(changes: Partial<Learned> = {}): Buffer {
  const candidate = (latitudeE7: number, contributors: number[]) => ({
    points: [
      { ...pointAt(latitudeE7, [{ neighbour: 0, count: 3, levelE2: -8_150 }]), slot: contributors.length },
      pointAt(latitudeE7 + 900, [
        { neighbour: 1, count: 1, levelE2: -9_900 },
        { neighbour: 0, count: 2, levelE2: -7_000 },
      ]),
    ],
    contributors,
    reports: 8,
    firstSeconds: 1_700_000_000,
    lastSeconds: 1_728_000_000,
    claimant: contributors.length === 1 ? contributors[0] : 0,
    claimDay: contributors.length === 1 ? 3_777 : 0,
  });
  const neighbours = [5, 6].map(cell => {
    const key = Buffer.alloc(12);
    writeCellKey(key, 0, 11, networkNumber(11, 244, 91), 1_206, cell);
    return key.toString('latin1');
  });
  const candidates = [candidate(601_700_000, [7]), candidate(601_900_000, [7, 9])];
  return encodeLearned({ ...newLearned(undefined), state: 2, main: 0, code: 77, neighbours, candidates, ...changes });
}

function problemWithLearned(found: Learned): string | undefined {
  const points = found.candidates.flatMap(candidate => candidate.points);
  return firstFault({
    state: found.state >= 1 && found.state <= 3,
    main: found.main >= -1 && found.main < found.candidates.length,
    base: found.base === undefined || problemWithStation(decodeStation(stationView(found.base), 0)) === undefined,
    neighbours: found.neighbours.every(({ length }) => length === 12),
    contributors: found.candidates.every(({ contributors }) => contributors.every(id => id <= 1_048_575)),
    points: points.every(({ latitudeE7, longitudeE7 }) =>
      isPosition({ latitude: latitudeE7 / 1e7, longitude: longitudeE7 / 1e7 }),
    ),
    weight: points.every(({ weight }) => weight > 0 && Number.isFinite(weight)),
    level: points.every(({ levelDbm }) => Number.isFinite(levelDbm)),
    count: points.every(({ count }) => count >= 1),
    slot: points.every(({ slot }) => slot <= 7),
    heard: points.every(({ heard }) =>
      heard.every(({ neighbour, count }) => neighbour < found.neighbours.length && count >= 1),
    ),
  });
}

const LEARNED: [string, Buffer][] = [
  ['that was only learned', learnedRecord()],
  ['behind an imported record', learnedRecord({ base: stationRecord(), isBaseDisowned: true, main: 1 })],
  [
    'of which only the imported record is known',
    learnedRecord({ base: stationRecord(), main: -1, candidates: [], neighbours: [], code: CODE_ABSENT }),
  ],
];

test.each(LEARNED)('a learned station %s', (_, record) => {
  expectCutsRefused(record, decodeLearned);
  expectFlipsSound(record, decodeLearned, problemWithLearned);
});

test.each(LEARNED)('the radio map of a station %s', (_, record) => {
  const map = new RadioMap();
  const read = (bytes: Buffer) => {
    map.read(bytes, bytes.length);
    return map;
  };
  expectCutsRefused(record, read);
  expectFlipsSound(record, read, found => {
    const upTo = <T>(array: ArrayLike<T>, count: number) => Array.from({ length: count }, (_entry, i) => array[i]);
    const heard = found.points === 0 ? 0 : found.heardFrom[found.points];
    return firstFault({
      points: found.points <= 128 && found.neighbours <= 256,
      positions: upTo(found.latitudeE7, found.points).every((latitudeE7, p) =>
        isPosition({ latitude: latitudeE7 / 1e7, longitude: found.longitudeE7[p] / 1e7 }),
      ),
      levels: upTo(found.levelDbm, found.points).every(Number.isFinite),
      counts: upTo(found.count, found.points).every(count => count >= 1),
      slots: upTo(found.slot, found.points).every(slot => slot <= 7),
      heard: upTo(found.heardNeighbour, heard).every(neighbour => neighbour < Math.max(found.neighbours, 1)),
      shares: upTo(found.heardShare, heard).every(Number.isFinite),
    });
  });
});

test('the row of a device', () => {
  const row = encodeTrack({
    timeMs: 1_728_000_000_000,
    latitude: 60.17,
    longitude: 24.94,
    accuracyMetres: 12,
    sequence: 4_711,
  });
  expectCutsRefused(row, decodeTrack);
  expectFlipsSound(row, decodeTrack, found =>
    firstFault({
      time: Number.isFinite(found.timeMs),
      position: isPosition(found),
      accuracy: found.accuracyMetres >= 0 && Number.isFinite(found.accuracyMetres),
      sequence: Number.isSafeInteger(found.sequence) && found.sequence > 0,
    }),
  );
});

test('the mark of a network with stale areas', () => {
  const mark = Buffer.from([0, 0, 0, 0, 1, 7]);
  expectCutsRefused(mark, decodeMark);
  expectFlipsSound(mark, decodeMark, found => firstFault({ mark: Number.isSafeInteger(found) && found >= 0 }));
});

test.each([
  ['with what a phone sends', numberedReport(3)],
  [
    'with all that can be sent',
    numberedReport(4, { altitude: 40, heading: 90, speed: 3, positionAgeMs: 500, isTrusted: true }),
  ],
])('a report in the observation log: %s', (_, report) => {
  const [packed] = unpackReports(packReports([report]));
  const value = reportValue(packed, 1_728_000_000_000);
  expectCutsRefused(value, decodeReportValue);
  expectFlipsSound(value, decodeReportValue, ({ receivedMs, report: found }) =>
    firstFault({
      receivedMs: Number.isFinite(receivedMs),
      timeMs: Number.isFinite(found.timeMs),
      position: isPosition(found),
      track: Number.isSafeInteger(found.track) && found.track >= 0,
      observations: found.observations.length % 40 === 0,
    }),
  );
});

test('the row of an identity in the observation log', () => {
  const row = identityRow(4_711, 1_728_000_000_000);
  expectCutsRefused(row, decodeIdentity);
  expectFlipsSound(row, decodeIdentity, found =>
    firstFault({
      sequence: Number.isSafeInteger(found.sequence) && found.sequence > 0,
      receivedMs: Number.isFinite(found.receivedMs),
    }),
  );
});

test('a logged request', () => {
  const entry: LogEntry = {
    logId: 2 ** 40 + 1,
    timeMs: Date.parse('2025-11-03T12:34:56.789Z'),
    latencyUs: 412.4,
    status: 200,
    route: 1,
    accountId: 7,
    nr: -3,
    deviceId: 'tracker-ä',
    query: '/?id=tracker-%C3%A4&nr=-3',
    request: Buffer.from('{"wifiAccessPoints":[]}'),
    response: '{"accuracy":30}',
  };
  const room = Buffer.alloc(recordBytesAtMost(entry));
  const record = room.subarray(0, writeRecord(room, new DataView(room.buffer, room.byteOffset), 0, entry));
  const read = (bytes: Buffer) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    recordLength(view, 0);
    return readRecord(bytes, view, 0);
  };
  expectCutsRefused(record, read);
  expectFlipsSound(record, read, found =>
    firstFault({
      logId: Number.isSafeInteger(found.logId) && found.logId > 0,
      time: !Number.isNaN(Date.parse(found.time)),
      latencyMs: found.latencyMs >= 0 && Number.isFinite(found.latencyMs),
    }),
  );
});

test.each([
  ['a house', drawnPlace({ houseNumber: '7', names: { name: 'Mill', 'name:de': 'Mühle' }, parent: 3, rows: [2, 1] })],
  [
    'house numbers along a line',
    drawnPlace({ houseRange: { start: 3, end: 19, step: 2 }, importance: 0.25, postcode: '9490' }),
  ],
])('the record of a place: %s', (_, place) => {
  expectCutsRefused(encodePlace(place), decodePlace);
  expectFlipsSound(encodePlace(place), decodePlace, found =>
    firstFault({
      position: isPosition(found),
      box: Math.abs(found.south) <= 90 && Math.abs(found.north) <= 90,
      ranks: found.searchRank <= 30 && found.addressRank <= 30,
      importance: found.importance >= 0 && found.importance <= 1,
      osm: found.osmType <= 3 && Number.isSafeInteger(found.osmId) && found.osmId >= 0,
      houseRange:
        found.houseRange === undefined ||
        (found.houseRange.start <= found.houseRange.end && found.houseRange.step <= 9),
      names: Object.values(found.names).every(text => typeof text === 'string'),
    }),
  );
});

describe('a building, a floor, a room', () => {
  const isOnGlobe = (numbers: Int32Array): boolean =>
    numbers.every((value, i) => Math.abs(value) <= (i % 2 === 0 ? 1_800_000_000 : 900_000_000));
  const areRings = (rings: Rings): boolean =>
    rings.every(ring => ring.length >= 8 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1) && isOnGlobe(ring));
  const isNumber = (value: number | undefined): boolean =>
    value === undefined || (Number.isSafeInteger(value) && value >= 0);

  test('a building', () => {
    const record = BUILDING.encode(buildings.full);
    expectCutsRefused(record, BUILDING.decode);
    expectFlipsSound(record, BUILDING.decode, ({ modelId, buildingId, outline }) =>
      firstFault({
        outline: outline.length > 0 && areRings(outline),
        modelId: isNumber(modelId),
        buildingId: isNumber(buildingId),
      }),
    );
  });

  test('a floor', () => {
    const record = FLOOR.encode(floors.full);
    expectCutsRefused(record, FLOOR.decode);
    expectFlipsSound(record, FLOOR.decode, ({ outline, walls, doors, stairs }) =>
      firstFault({
        outline: areRings(outline),
        walls: walls.length % 4 === 0 && isOnGlobe(walls),
        doors: doors.length % 4 === 0 && isOnGlobe(doors),
        stairs: stairs.length % 4 === 0 && isOnGlobe(stairs),
      }),
    );
  });

  test('a room', () => {
    const record = ROOM.encode(rooms.full);
    expectCutsRefused(record, ROOM.decode);
    expectFlipsSound(record, ROOM.decode, ({ name, outline }) =>
      firstFault({ name: name !== '', outline: outline.length > 0 && areRings(outline) }),
    );
  });
});

test('a fingerprint', () => {
  const record = encodeFingerprint(fingerprints.full);
  expectCutsRefused(record, decodeFingerprint);
  expectFlipsSound(record, decodeFingerprint, found =>
    firstFault({
      position: isPosition(found),
      floor: found.floor >= -50 && found.floor <= 200,
      track: Number.isSafeInteger(found.track) && found.track >= 0,
      identity: found.identity.length === 0 || found.identity.length === 16,
      readings:
        found.readings.length > 0 && found.readings.every(({ radio }) => Number.isSafeInteger(radio) && radio >= 0),
    }),
  );
});
