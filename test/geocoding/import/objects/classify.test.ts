import { expect, test } from 'vitest';
import { classify } from '../../../../src/geocoding/import/objects/classify.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../../src/tables/places/place.ts';

const POINT = [OSM_NODE, false] as const;
const LINE = [OSM_WAY, false] as const;
const AREA = [OSM_WAY, true] as const;
const BOUNDARY = [OSM_RELATION, true] as const;

test.each([
  [
    BOUNDARY,
    { boundary: 'administrative', admin_level: '8', name: 'Vaduz', place: 'town' },
    'boundary',
    'administrative',
    'area',
  ],
  [BOUNDARY, { boundary: 'postal_code', postal_code: '9490' }, 'boundary', 'postal_code', 'area'],
  [BOUNDARY, { boundary: 'protected_area', name: 'Ruggeller Riet' }, 'boundary', 'protected_area', 'house'],
  [POINT, { place: 'village', name: 'Triesen' }, 'place', 'village', 'area'],
  [LINE, { highway: 'residential' }, 'highway', 'residential', 'road'],
  [LINE, { highway: 'service', name: 'Zufahrt' }, 'highway', 'service', 'road'],
  [POINT, { highway: 'bus_stop', name: 'Post' }, 'highway', 'bus_stop', 'house'],
  [AREA, { landuse: 'residential', name: 'Quartier' }, 'landuse', 'residential', 'area'],
  [AREA, { landuse: 'cemetery', name: 'Friedhof' }, 'landuse', 'cemetery', 'house'],
  [AREA, { building: 'house', 'addr:housenumber': '1' }, 'building', 'house', 'house'],
  [AREA, { building: 'yes', name: 'Rathaus' }, 'building', 'yes', 'house'],
  [POINT, { 'addr:housenumber': '1', 'addr:street': 'Gasse' }, 'place', 'house', 'house'],
  [POINT, { 'addr:conscriptionnumber': '7' }, 'place', 'house', 'house'],
  [POINT, { 'addr:housename': 'Villa' }, 'place', 'house', 'house'],
  [POINT, { amenity: 'fountain' }, 'amenity', 'fountain', 'house'],
  [AREA, { amenity: 'school', building: 'yes', name: 'Schule' }, 'amenity', 'school', 'house'],
  [POINT, { historic: 'memorial', name: 'Denkmal' }, 'historic', 'memorial', 'house'],
  [POINT, { healthcare: 'doctor', 'addr:housenumber': '2' }, 'healthcare', 'doctor', 'house'],
  [POINT, { natural: 'peak', name: 'Grauspitz' }, 'natural', 'peak', 'house'],
  [LINE, { waterway: 'river', name: 'Rhein' }, 'waterway', 'river', 'house'],
  [LINE, { 'addr:interpolation': 'odd' }, 'place', 'houses', 'area'],
] as const)('%j with %j is %s=%s of the class %s', ([type, isClosed], tags, category, value, featureClass) => {
  expect(classify(type, tags, isClosed)).toEqual({ category, type: value, featureClass });
});

test.each([
  [BOUNDARY, { boundary: 'administrative', admin_level: '8' }],
  [BOUNDARY, { boundary: 'administrative', name: 'Ohne Stufe' }],
  [LINE, { boundary: 'administrative', admin_level: '8', name: 'Nur ein Stück' }],
  [POINT, { place: 'village' }],
  [LINE, { highway: 'service' }],
  [LINE, { highway: 'path' }],
  [LINE, { highway: 'motorway_link' }],
  [LINE, { highway: 'service', 'addr:housenumber': '1' }],
  [POINT, { highway: 'crossing', name: 'Übergang' }],
  [POINT, { highway: 'bus_stop' }],
  [AREA, { building: 'yes' }],
  [POINT, { 'addr:street': 'Gasse' }],
  [POINT, { natural: 'tree' }],
  [LINE, { railway: 'rail', name: 'Strecke' }],
  [AREA, { leisure: 'swimming_pool' }],
  [POINT, { amenity: 'bench' }],
  [POINT, { amenity: 'no' }],
  [POINT, { historic: 'wayside_cross' }],
  [POINT, { landuse: 'residential', name: 'Punkt' }],
] as const)('%j with %j is not imported', ([type, isClosed], tags) => {
  expect(classify(type, tags, isClosed)).toBeUndefined();
});

test('a named use of land with a house number is a house', () => {
  expect(classify(OSM_WAY, { landuse: 'retail', name: 'Markt', 'addr:housenumber': '4' }, true)).toMatchObject({
    type: 'house',
    featureClass: 'house',
  });
});
