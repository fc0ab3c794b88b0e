// A request for each route of each dialect, that is answered in the demo town and the drawn extract. What clients send
// besides is in the tests of their dialects.

/** A request without a key. */
export interface Sample {
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
  body?: unknown;
  /** Where a client of this dialect puts the key besides the places that all routes know. */
  keyInBody?(key: string): unknown;
  /** It needs no key. */
  isOpen?: true;
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
};
