// A request for each route of each dialect, that is answered in the demo town and the drawn extract. What clients send
// besides is in the tests of their dialects.

import { ACCESS_POINTS } from './stations.ts';

/** A request without a key. */
export interface Sample {
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
  body?: unknown;
  /** Where a client of this dialect puts the key besides the places that all routes know. */
  keyInBody?(key: string): unknown;
  /** It needs no key, or is refused before one is looked for. */
  isOpen?: true;
}

const [FIRST, SECOND] = ACCESS_POINTS;
/** Access points as Unwired Labs names them. */
const WIFI = ACCESS_POINTS.map(bssid => ({ bssid, signal: -50 }));

/** A scan as decoders name it. */
const SCAN = ACCESS_POINTS.map(mac => ({ mac, rssi: -60 }));
/** A measurement far from the stations of the demo town. */
const MEASUREMENT = '/measure/add?lat=52.5&lon=13.4&mcc=262&mnc=1&lac=5&cellid=7&act=GSM&signal=-80';
const TABLE = [
  'lat,lon,mcc,mnc,sid,lac,tac,nid,cellid,bid,psc,pci,signal,ta,measured_at,rating,speed,direction,act,devn',
  '52.5,13.4,262,1,,5,,,7,,,,-80,,2026-05-04 08:00:00,8.5,1.5,90,GSM,"Phone, 3"',
  '52.5,13.4,262,1,,5,,,8,,,,-85,,2026-05-04 08:00:00,8.5,1.5,90,GSM,"Phone, 3"',
  'x,13.4,262,1,,5,,,9,,,,-85,,2026-05-04 08:00:00,8.5,1.5,90,GSM,',
  '',
].join('\n');

/** A form as OkHttp writes it. */
export function formOf(fields: Readonly<Record<string, string>>): string {
  const boundary = '9dd5b7a4-7f0c-4d3b-8b1a-2f1d0f0e4c55';
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Length: ${Buffer.byteLength(value)}\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** Samples by dialect. */
export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  photon: [
    { method: 'GET', path: '/api?q=Vaduz' },
    { method: 'GET', path: '/photon/api?q=Vadu&limit=5&lang=de&lat=47.1&lon=9.5&zoom=12' },
    { method: 'GET', path: '/structured?city=Vaduz&countrycode=LI' },
    { method: 'GET', path: '/photon/structured?street=%C3%84ulestrasse&housenumber=3&city=Vaduz' },
    { method: 'GET', path: '/photon/reverse?lat=47.1402&lon=9.515' },
    { method: 'GET', path: '/reverse?lat=47.1402&lon=9.515&limit=1' },
    { method: 'GET', path: '/photon/status', isOpen: true },
  ],
  'google-geocoding': [
    { method: 'GET', path: '/maps/api/geocode/json?address=Vaduz' },
    { method: 'GET', path: '/maps/api/geocode/json?latlng=47.1402,9.515' },
    { method: 'GET', path: '/maps/api/geocode/json?place_id=R3' },
  ],
  here: ['/v2/locate', '/positioning/v1/locate'].map(path => ({
    method: 'POST',
    path,
    body: {
      wlan: [
        { mac: FIRST, rss: -50 },
        { mac: SECOND, rss: -60 },
      ],
    },
  })),
  'nrf-cloud': ['/v1/location/ground-fix', '/location/ground-fix'].map(path => ({
    method: 'POST',
    path,
    body: { wifi: { accessPoints: [{ macAddress: FIRST }, { macAddress: SECOND }] } },
  })),
  unwired: ['/v2/process', '/v2/process.php'].flatMap((path): Sample[] => [
    { method: 'POST', path, body: { wifi: WIFI }, keyInBody: token => ({ token, wifi: WIFI }) },
    { method: 'GET', path: `${path}?radio=lte&mcc=1&mnc=1&lac=1&cid=256001` },
  ]),
  'aws-iot': [
    {
      method: 'POST',
      path: '/position-estimate',
      body: {
        WiFiAccessPoints: ACCESS_POINTS.map(mac => ({ MacAddress: mac, Rss: -50 })),
        Timestamp: 1_778_000_000,
      },
    },
  ],
  'mozilla-search': [
    { method: 'POST', path: '/v1/search', body: { wifi: ACCESS_POINTS.map(key => ({ key, signal: -50 })) } },
  ],
  mylnikov: [{ method: 'GET', path: '/geolocation/cell?v=1.1&data=open&mcc=1&mnc=1&lac=1&cellid=256001' }],
  opencellid: [
    { method: 'GET', path: '/cell/get?mcc=1&mnc=1&lac=1&cellid=256001&format=json' },
    { method: 'GET', path: '/cell/get?mcc=1&mnc=1&lac=1&cellid=256001&radio=LTE' },
    { method: 'GET', path: '/cell/getInArea?BBOX=1.21,-2.54,1.29,-2.46&format=csv&limit=5' },
    { method: 'GET', path: '/cell/getInAreaSize?BBOX=1.21,-2.54,1.29,-2.46&format=json' },
    {
      method: 'POST',
      path: '/measure/uploadCsv',
      body: formOf({ datafile: TABLE }),
      keyInBody: key => formOf({ key, appId: 'x', datafile: TABLE }),
    },
    { method: 'GET', path: MEASUREMENT },
    { method: 'POST', path: MEASUREMENT, body: formOf({ appId: 'x' }), keyInBody: key => formOf({ key }) },
  ],
  owntracks: [{ method: 'GET', path: '/rev?lat=47.140200&lon=9.515000&app=recorder' }],
  chirpstack: [
    {
      method: 'POST',
      path: '/hooks/chirpstack?event=up',
      body: { deviceInfo: { devEui: '0102030405060708', deviceName: 'bike' }, object: { wifi: SCAN } },
    },
  ],
  tts: [
    {
      method: 'POST',
      path: '/hooks/tts',
      body: { end_device_ids: { device_id: 'bike' }, uplink_message: { decoded_payload: { access_points: SCAN } } },
    },
  ],
  'lora-cloud': [
    ...['/api/v1/solve/loraWifi', '/api/v2/loraWifi'].map(
      (path): Sample => ({
        method: 'POST',
        path,
        body: { lorawan: [], wifiAccessPoints: [{ macAddress: FIRST }, { macAddress: SECOND }] },
      }),
    ),
    ...['tdoa', 'tdoaMultiframe', 'rssi', 'rssiMultiframe', 'gnss_lr1110_singleframe'].map(
      (name): Sample => ({ method: 'POST', path: `/api/v1/solve/${name}`, body: {}, isOpen: true }),
    ),
  ],
};
