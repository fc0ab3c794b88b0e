import { expect, test } from 'vitest';
import { quantile } from '../../../lab/evaluation/quantile.ts';
import { AREA_NONE } from '../../../src/radio/unknown_cell.ts';
import { AREA_KEY_BYTES, AreaCollector, bumpDirtyMark, decodeMark } from '../../../src/tables/stations/areas.ts';
import { STATE_ACTIVE, STATE_BLOCKED, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { cellHex } from '../../kits/radio/sorted_records.ts';
import { recordOf, stationOf } from '../../kits/radio/stations.ts';
import { uniform } from '../../kits/random.ts';

function collect(cells: readonly (readonly [string, Station])[]): [string, Station][] {
  const areas: [string, Station][] = [];
  const collector = new AreaCollector((key, record) => {
    if (key.length === AREA_KEY_BYTES) areas.push([key.toString('hex'), stationOf(record)]);
  });
  for (const [key, station] of cells) collector.add(Buffer.from(key, 'hex'), Buffer.from(recordOf(station)));
  collector.end();
  return areas;
}

/** Metres by the spherical law of cosines: another formula than the one under test. */
function distance(a: Station, b: Station): number {
  const r = Math.PI / 180;
  const cosine =
    Math.sin(a.latitude * r) * Math.sin(b.latitude * r) +
    Math.cos(a.latitude * r) * Math.cos(b.latitude * r) * Math.cos((a.longitude - b.longitude) * r);
  return 6_371_008.8 * Math.acos(Math.min(1, cosine));
}

test('the areas of several networks agree with brute force', () => {
  const random = uniform(5);
  const cells = Array.from({ length: 3000 }, (_, i) => {
    const network = Math.floor(i / 1000) * 1000;
    const area = Math.floor(random() * 20) * 700_000;
    return [
      cellHex(i < 1500 ? 8 : 11, network, i, area),
      stationAt(50 + random() + area / 1e6, 8 + random(), 1000, 2000),
    ] as const;
  });
  const areas = collect(cells);

  const members = Map.groupBy(cells, ([key]) => key.slice(0, 8) + key.slice(18));
  expect(areas.map(([key]) => key)).toEqual([...members.keys()].sort());
  for (const [key, area] of areas) {
    const stations = members.get(key)!.map(([, station]) => station);
    expect(area.latitude).toBeCloseTo(
      quantile(
        stations.map(station => station.latitude),
        0.5,
      ),
      6,
    );
    expect(area.longitude).toBeCloseTo(
      quantile(
        stations.map(station => station.longitude),
        0.5,
      ),
      6,
    );
    expect(area.samples).toBe(stations.length);
    expect(area.state).toBe(STATE_ACTIVE);
    const distances = stations.map(station => distance(station, area));
    expect(Math.abs(area.r50Metres - quantile(distances, 0.5))).toBeLessThan(3);
    const within = distances.filter(metres => metres <= area.r95Metres + 3).length;
    expect(within).toBeGreaterThanOrEqual(Math.ceil(distances.length * 0.95));
    expect(distances.filter(metres => metres <= area.r95Metres - 3).length).toBeLessThan(
      Math.ceil(distances.length * 0.95),
    );
  }
});

test('an area across the date line has its centre there', () => {
  const [[, area]] = collect([
    [cellHex(11, 5, 1, 7), stationAt(-17, 179.9, 1000, 2000)],
    [cellHex(11, 5, 2, 7), stationAt(-17, -179.8, 1000, 2000)],
  ]);
  expect(area.latitude).toBeCloseTo(-17, 6);
  expect(area.longitude).toBeCloseTo(-179.95, 6);
  expect(area.r50Metres).toBeGreaterThan(15_900);
  expect(area.r50Metres).toBeLessThan(16_000);
});

test('a cell far away under a mistaken code moves neither the centre nor the median distance', () => {
  const [[, area]] = collect([
    ...[0, 1, 2, 3].map(i => [cellHex(11, 5, i, 7), stationAt(50 + i / 1000, 8, 1000, 2000)] as const),
    [cellHex(11, 5, 9, 7), stationAt(54, 12, 1000, 2000)],
  ]);
  expect(area.latitude).toBeCloseTo(50.002, 6);
  expect(area.longitude).toBeCloseTo(8, 6);
  expect(area.r50Metres).toBeLessThan(250);
});

test('the area of a single cell is its position', () => {
  const [[key, area]] = collect([[cellHex(13, 0x03acf1, 0xfffffffff, 0xffffff), stationAt(50, 8, 1000, 2000)]]);
  expect(key).toBe('0d03acf1ffffff');
  expect(area).toMatchObject({ latitude: 50, longitude: 8, r50Metres: 0, r95Metres: 0, samples: 1 });
});

test('only active cells count', () => {
  const blocked = { ...stationAt(10, 10, 1000, 2000), state: STATE_BLOCKED };
  expect(collect([[cellHex(11, 5, 1, 7), blocked]])).toEqual([]);
  const areas = collect([
    [cellHex(11, 5, 1, 7), blocked],
    [cellHex(11, 5, 2, 7), stationAt(50, 8, 1000, 2000)],
  ]);
  expect(areas.map(([, area]) => area.latitude)).toEqual([50]);
});

test('cells without area code are in no area', () => {
  expect(collect([[cellHex(11, 5, 1, AREA_NONE), stationAt(50, 8, 1000, 2000)]])).toEqual([]);
});

test('no cells are no areas', () => {
  expect(collect([])).toEqual([]);
});

test('a mark tells how many cells have changed, and begins anew when it is full', () => {
  const first = bumpDirtyMark(undefined, 3);
  expect(decodeMark(first)).toBe(3);
  expect(decodeMark(bumpDirtyMark(first, 2))).toBe(5);
  expect(decodeMark(bumpDirtyMark(Buffer.alloc(6, 0xff), 2))).toBe(1);
});
