// Clients for Node: node-geocoder, and Google's own. They are loaded from where npm has put them.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installNpm, type Program, type Served } from '../program.ts';
import { askPlaces, type Finding, type Findings, foundBy, QUESTIONS } from '../questions.ts';

// biome-ignore lint/suspicious/noExplicitAny: packages of others, without their types
const load = (folder: string, name: string): any => createRequire(join(folder, 'index.js'))(name);

interface NodeGeocoderPlace {
  formattedAddress: string;
  latitude: number;
  longitude: number;
}

function askNodeGeocoder({ host, key }: Served, folder: string): Promise<Findings> {
  const nodeGeocoder = load(folder, 'node-geocoder');
  const placeOf = ([first]: NodeGeocoderPlace[]): Finding =>
    first === undefined ? null : { text: first.formattedAddress, lat: first.latitude, lon: first.longitude };
  return askPlaces(own => {
    const asked = nodeGeocoder({ provider: 'openstreetmap', osmServer: `http://${host}/k/${own}` });
    return {
      search: async text => placeOf(await asked.geocode(text)),
      reverse: async (lat, lon) => placeOf(await asked.reverse({ lat, lon })),
    };
  }, key);
}

interface GoogleAnswer {
  data: {
    status: string;
    results: { formatted_address: string; geometry: { location: { lat: number; lng: number } } }[];
  };
}

function askGoogleGeocoding({ host, key }: Served, folder: string): Promise<Findings> {
  const { Client } = load(folder, '@googlemaps/google-maps-services-js');
  const url = `http://${host}/maps/api/geocode/json`;
  const placeOf = ({ data: { status, results } }: GoogleAnswer): Finding => {
    if (status === 'ZERO_RESULTS') return null;
    if (status !== 'OK') return { error: status };
    const [{ formatted_address: text, geometry }] = results;
    return { text, lat: geometry.location.lat, lon: geometry.location.lng };
  };
  return askPlaces(own => {
    const asked = new Client();
    return {
      search: async address => placeOf(await asked.geocode({ url, params: { address, key: own } })),
      reverse: async (lat, lng) =>
        placeOf(await asked.reverseGeocode({ url, params: { latlng: { lat, lng }, key: own } })),
    };
  }, key);
}

async function askGoogleGeolocation({ host, key }: Served, folder: string): Promise<Findings> {
  const { Client } = load(folder, '@googlemaps/google-maps-services-js');
  const locate = (addresses: readonly string[], own: string) =>
    foundBy(async () => {
      const wifiAccessPoints = addresses.map(macAddress => ({ macAddress }));
      const asked = { url: `http://${host}/v1/geolocate`, params: { key: own }, data: { wifiAccessPoints } };
      // Axios throws for each status but 2xx, and has the body.
      const answer = await new Client().geolocate(asked).catch((error: { response: unknown }) => error.response);
      const { location, accuracy, error } = answer.data;
      if (error?.errors[0].reason === 'notFound') return null;
      return error === undefined ? { lat: location.lat, lon: location.lng, accuracy } : { error: error.message };
    });
  return {
    locate: await locate(QUESTIONS.points, key),
    nowhere: await locate(QUESTIONS.unknownPoints, key),
    wrongKey: await locate(QUESTIONS.points, 'wrong'),
  };
}

export const NODE: readonly Program[] = [
  {
    name: 'node-geocoder',
    install: folder => installNpm(folder, 'node-geocoder'),
    clients: { 'node-geocoder: openstreetmap': askNodeGeocoder },
  },
  {
    name: '@googlemaps/google-maps-services-js',
    install: folder => installNpm(folder, '@googlemaps/google-maps-services-js'),
    clients: {
      'google-maps-services-js: geocode': askGoogleGeocoding,
      'google-maps-services-js: geolocate': askGoogleGeolocation,
    },
  },
];
