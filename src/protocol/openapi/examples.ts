// Examples of requests and answers. The answers are those of a new data folder, with the demo town and the gazetteer of
// the world.

const LICENCE = 'Data © GeoNames (geonames.org), CC BY 4.0. https://creativecommons.org/licenses/by/4.0/';

const PARIS_ADDRESS = { town: 'Paris', state: 'Île-de-France', country: 'France', country_code: 'fr' };
const PARIS_ROWS = { city: 'Paris', state: 'Île-de-France', country: 'France', country_code: 'fr' };
const PARIS = {
  place_id: 8319,
  licence: LICENCE,
  lat: '48.8534100',
  lon: '2.3488000',
  category: 'place',
  type: 'city',
  place_rank: 16,
  importance: 0.4634096,
  addresstype: 'city',
  name: 'Paris',
  display_name: 'Paris, Île-de-France, France',
  address: PARIS_ROWS,
  boundingbox: ['48.6934100', '49.0134100', '2.1888000', '2.5088000'],
};

/** Three access points of the demo town. */
export const ACCESS_POINTS = {
  wifiAccessPoints: [
    { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
    { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
    { macAddress: '02:00:5e:00:00:e7', signalStrength: -58 },
  ],
};
/** Answer to the access points. */
export const POSITION = { location: { lat: 1.2503256, lng: -2.499737 }, accuracy: 14, logId: 1_048_576 };

/** A batch of two positions, the second of one access point. */
export const FLEET = [
  { id: 'tracker-1', nr: 7, ...ACCESS_POINTS },
  { id: 'tracker-2', nr: 3, wifiAccessPoints: [ACCESS_POINTS.wifiAccessPoints[0]] },
];
/** Answer to the batch. */
export const FLEET_ANSWERS = [
  POSITION,
  {
    error: {
      errors: [{ domain: 'geolocation', reason: 'notFound', message: 'Not found' }],
      code: 404,
      message: 'Not found',
    },
    logId: 1_048_577,
  },
];

/** A fix that is too old to contribute, and what is near it. */
export const DESCRIBED_FIX = {
  gps: { latitude: 47.141, longitude: 9.521, accuracy: 12, age: 3, altitude: 455, heading: 270, speed: 1.5 },
  geoname: 1,
  address: 1,
};
/** Answer to the fix. */
export const DESCRIBED_POSITION = {
  location: { lat: 47.141, lng: 9.521 },
  accuracy: 12,
  heading: 270,
  altitude: 455,
  speed: 1.5,
  geoname: { town: 'Vaduz', country: 'Liechtenstein', country_code: 'LI' },
  address: { town: 'Vaduz', state: 'Vaduz', country: 'Liechtenstein', country_code: 'li' },
  logId: 1_048_577,
};

/** Success line of the compact form. */
export const COMPACT_LINE = 'status=0;lat=1.2502446;lon=-2.4997308;acc=15';

/** A cell that names only its country. */
export const COUNTRY_QUESTION = {
  cellTowers: [{ radioType: 'lte', mobileCountryCode: 295, mobileNetworkCode: 5, cellId: 1, locationAreaCode: 1 }],
};
/** Answer to the cell. */
export const COUNTRY = { country_code: 'LI', country_name: 'Liechtenstein' };

/** Answers to GET /reverse of a point in Paris, by format. */
export const REVERSE = { specified: { address: PARIS_ADDRESS }, jsonv2: PARIS };

/** A batch of two points. */
export const POINTS = [
  { lat: 48.8566, lon: 2.3522 },
  { lat: 47.141, lon: 9.521, zoom: 4 },
];
/** Answer to the batch. */
export const POINT_ANSWERS = [
  { address: PARIS_ADDRESS },
  { address: { country: 'Liechtenstein', country_code: 'li' } },
];

const VADUZ_POINT = { type: 'Point', coordinates: [9.52154, 47.14151] };
/** Answers to GET /search for Vaduz, by format. */
export const SEARCH = {
  specified: [
    {
      place_id: 98525,
      licence: LICENCE,
      boundingbox: ['47.1215100', '47.1615100', '9.5015400', '9.5415400'],
      lat: '47.1415100',
      lon: '9.5215400',
      display_name: 'Vaduz, Liechtenstein',
      place_rank: 19,
      category: 'place',
      type: 'village',
      importance: 0.2542602,
    },
  ],
  geojson: {
    type: 'FeatureCollection',
    licence: LICENCE,
    features: [
      {
        type: 'Feature',
        properties: {
          place_id: 98525,
          category: 'place',
          type: 'village',
          place_rank: 19,
          importance: 0.2542602,
          addresstype: 'village',
          name: 'Vaduz',
          display_name: 'Vaduz, Liechtenstein',
        },
        bbox: [9.50154, 47.12151, 9.54154, 47.16151],
        geometry: VADUZ_POINT,
      },
    ],
  },
  geocodejson: {
    type: 'FeatureCollection',
    geocoding: { version: '0.1.0', attribution: LICENCE, query: 'Vaduz' },
    features: [
      {
        type: 'Feature',
        properties: {
          geocoding: {
            place_id: 98525,
            osm_key: 'place',
            osm_value: 'village',
            type: 'district',
            label: 'Vaduz, Liechtenstein',
            name: 'Vaduz',
            city: 'Vaduz',
            state: 'Vaduz',
            country: 'Liechtenstein',
            country_code: 'li',
          },
        },
        geometry: VADUZ_POINT,
      },
    ],
  },
};

/** Answer to GET /status?format=json. */
export const STATUS = {
  status: 0,
  message: 'OK',
  data_updated: '2026-02-01T12:00:00+00:00',
  software_version: '0.6.0',
};

/** A batch in the form of /v2/geosubmit. */
export const BATCH = {
  items: [
    {
      timestamp: 1_769_947_200_000,
      position: { latitude: 47.141, longitude: 9.521, accuracy: 8, age: 1000, source: 'gps' },
      wifiAccessPoints: [{ macAddress: '44:d4:53:12:34:56', signalStrength: -61, age: 500 }],
      cellTowers: [
        {
          radioType: 'lte',
          mobileCountryCode: 295,
          mobileNetworkCode: 5,
          locationAreaCode: 301,
          cellId: 7_745_281,
          signalStrength: -98,
          serving: 1,
        },
      ],
    },
  ],
};
/** The same measurement in the form of /v1/geosubmit. */
export const FLAT_BATCH = {
  items: [
    {
      timestamp: 1_769_947_200_000,
      latitude: 47.141,
      longitude: 9.521,
      accuracy: 8,
      wifiAccessPoints: [{ macAddress: '44:d4:53:12:34:56', signalStrength: -61 }],
    },
  ],
};
/** The same measurement in the form of /v1/submit. */
export const OLD_BATCH = {
  items: [
    {
      lat: 47.141,
      lon: 9.521,
      accuracy: 8,
      time: '2026-02-01T12:00:00Z',
      wifi: [{ key: '44:d4:53:12:34:56', signal: -61 }],
    },
  ],
};

/** The trail of an access point that has moved. */
export const TRAIL = {
  macAddress: '02:00:5e:00:00:d3',
  trail: [
    { date: '2026-03-01', location: { lat: 49.8728, lng: 8.6512 }, observations: 12 },
    { date: '2026-03-09', location: { lat: 49.8801, lng: 8.6655 }, observations: 3 },
  ],
  logId: 1048576,
};
