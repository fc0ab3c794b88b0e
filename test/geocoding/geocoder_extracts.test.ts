// The geocoder over real extracts: the country by the borders of the world against the borders that the extracts have
// themselves.

import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { longitudeScale } from '../../src/geo/angle.ts';
import { countryOfPoint } from '../../src/geocoding/address/country_names.ts';
import { toSpecAddress } from '../../src/geocoding/address/spec_address.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { SpatialIndex } from '../../src/geocoding/index/spatial_index.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { currentLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { LayerReader } from '../../src/tables/places/layer.ts';
import { alongRoads, roadReach } from '../../src/tracking/outdoor/road_prior.ts';
import { METRES_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { withGeocoder } from '../kits/places/layers.ts';
import { normal, uniform } from '../kits/random.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** A house inside a country that the extract has the borders of. */
interface House {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Of the country. */
  code: string;
}

const DATA = '../shared/data/osm';
const FILES = ['liechtenstein-2025-09-19', 'monaco-2026-03-10', 'malta-2018-08-27'].map(
  name => `${DATA}/${name}.osm.pbf`,
);
const isThere = FILES.every(file => existsSync(file));
if (!isThere) console.log(`Real extracts are not asked: ${DATA} does not have them.`);

/** Drives that are drawn, and the share of those that are not on a road. */
const DRIVES = 4_000;
const OFF_ROAD = 0.15;

describe.skipIf(!isThere)('over three extracts', () => {
  const folder = folderOfFile();
  let extract: string;
  const houses: House[] = [];

  beforeAll(async () => {
    await importExtracts({ folder, files: FILES, onProgress: () => {} });
    extract = currentLayer(placesFolder(folder))!;
    const layer = new LayerReader(extract);
    const spatial = new SpatialIndex(layer.sections);
    for (let id = 1; id <= layer.meta.count; id++) {
      const { houseNumber, latitude, longitude } = layer.place(id)!;
      const country = houseNumber === '' ? undefined : spatial.countryAround(latitude, longitude);
      if (country !== undefined) houses.push({ latitude, longitude, code: layer.place(country)!.countryCode });
    }
    await layer.close();
  });

  test('without the extracts the country of a house is right for 99.5 of a hundred, and in each country for 99', () => {
    const isRight = ({ latitude, longitude, code }: House): boolean =>
      countryOfPoint(latitude, longitude, [])?.code === code;
    const byCode = Map.groupBy(houses, ({ code }) => code);
    expect([...byCode.keys()].sort()).toEqual(['li', 'mc', 'mt']);
    for (const [code, own] of byCode) {
      const right = own.filter(isRight).length;
      console.log(
        `The borders of the world have ${right} of ${own.length} houses of ${code.toUpperCase()} in their country.`,
      );
      expect(right / own.length).toBeGreaterThanOrEqual(0.99);
    }
    expect(houses.filter(isRight).length / houses.length).toBeGreaterThanOrEqual(0.995);
  });

  test('with them it is right for all, and no answer has two', async () => {
    await withGeocoder({ extract }, geocoder => {
      for (const { latitude, longitude, code } of houses) {
        const rows = geocoder.reverse({ latitude, longitude, zoom: 18, languages: [] })!.address;
        expect(rows.filter(({ key }) => key === 'country_code').map(({ value }) => value)).toEqual([code]);
        expect(toSpecAddress(rows).country_code).toBe(code);
      }
    });
  });

  // The roads are real, the drives are not: nothing says where vehicles were in these countries.
  test.each([20, 50, 100])(
    'vehicles drawn on real roads are told better by the roads where fixes err by %d m, and half of them are inside',
    async sigma => {
      const random = uniform(11);
      const noise = normal(random);
      const errors = { before: [] as number[], after: [] as number[] };
      let inside = 0;
      await withGeocoder({ extract }, geocoder => {
        for (let tried = 0; tried < 20 * DRIVES && errors.after.length < DRIVES; tried++) {
          const { latitude, longitude } = houses[Math.floor(random() * houses.length)];
          const on = drawOnRoad(geocoder.roadsAround(latitude, longitude, 300, false), random);
          if (on === undefined) continue;
          const metres = longitudeScale((latitude * Math.PI) / 180) * METRES_PER_DEGREE;
          const beside = random() < OFF_ROAD ? 30 : 4;
          const truth = { east: on.east + beside * noise(), north: on.north + beside * noise() };
          const [east, north] = [truth.east + sigma * noise(), truth.north + sigma * noise()];
          const pieces = geocoder.roadsAround(
            latitude + north / METRES_PER_DEGREE,
            longitude + east / metres,
            roadReach(sigma),
            false,
          );
          const speeds = {
            eastSpeed: 10 * on.alongEast + 3 * noise(),
            northSpeed: 10 * on.alongNorth + 3 * noise(),
            speedSigma: 3,
          };
          const along = alongRoads({ sigmaMetres: sigma, ...speeds }, pieces);
          const error = Math.hypot(
            truth.east - east - (along?.eastMetres ?? 0),
            truth.north - north - (along?.northMetres ?? 0),
          );
          errors.before.push(Math.hypot(truth.east - east, truth.north - north));
          errors.after.push(error);
          if (error <= (along?.r50Metres ?? 1.1774 * sigma)) inside++;
        }
      });
      const [before, after] = [errors.before, errors.after].map(
        each => each.reduce((sum, metres) => sum + metres, 0) / DRIVES,
      );
      console.log(
        `Fixes of ${sigma} m: mean ${before.toFixed(1)} m, by the roads ${after.toFixed(1)} m, ` +
          `${((100 * inside) / DRIVES).toFixed(1)} % inside.`,
      );
      expect(errors.after).toHaveLength(DRIVES);
      expect(after).toBeLessThan(before);
      expect(inside / DRIVES).toBeGreaterThan(0.45);
      expect(inside / DRIVES).toBeLessThan(0.55);
    },
  );

  test('a point asked for in words is answered like the point', async () => {
    await withGeocoder({ extract }, geocoder => {
      const [found] = geocoder.search(freeTextQuestion('47.1410, 9.5215'));
      const point = geocoder.reverse({ latitude: 47.141, longitude: 9.5215, zoom: 18, languages: [] })!;
      expect({ ...found, geometry: found.geometry() }).toEqual({ ...point, geometry: point.geometry() });
    });
  });
});

/** A point on one of the pieces of roads, any metre of them as likely as another, and the direction there. */
function drawOnRoad(pieces: readonly number[], random: () => number) {
  const lengths = Array.from({ length: pieces.length / 4 }, (_, i) =>
    Math.hypot(pieces[4 * i + 2] - pieces[4 * i], pieces[4 * i + 3] - pieces[4 * i + 1]),
  );
  let left = random() * lengths.reduce((sum, length) => sum + length, 0);
  const piece = lengths.findIndex(length => {
    left -= length;
    return left < 0;
  });
  if (piece < 0) return undefined;
  const length = lengths[piece];
  const [alongEast, alongNorth] = [
    (pieces[4 * piece + 2] - pieces[4 * piece]) / length,
    (pieces[4 * piece + 3] - pieces[4 * piece + 1]) / length,
  ];
  const at = random() * length;
  return {
    east: pieces[4 * piece] + at * alongEast,
    north: pieces[4 * piece + 1] + at * alongNorth,
    alongEast,
    alongNorth,
  };
}
