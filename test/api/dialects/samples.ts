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
  here: [
    {
      method: 'POST',
      path: '/v2/locate',
      body: {
        wlan: [
          { mac: FIRST, rss: -50 },
          { mac: SECOND, rss: -60 },
        ],
      },
    },
  ],
  'nrf-cloud': ['/v1/location/ground-fix', '/location/ground-fix'].map(path => ({
    method: 'POST',
    path,
    body: { wifi: { accessPoints: [{ macAddress: FIRST }, { macAddress: SECOND }] } },
  })),
  unwired: ['/v2/process', '/v2/process.php'].map(path => ({
    method: 'POST',
    path,
    body: { wifi: WIFI },
    keyInBody: token => ({ token, wifi: WIFI }),
  })),
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
