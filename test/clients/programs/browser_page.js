// What the page of a map asks by its control, and what the control then has. Loaded behind the
// libraries L, maplibregl and MaplibreGeocoder; browser.ts calls `ask`.

/** For these an error is an answer without places. */
const HIDE_ERRORS = ['Photon', 'Google'];
/** The scale at which a click asks for an address: that of zoom 18. */
const SCALE = 256 * 2 ** 18;

const CLIENTS = {
  Nominatim: (url, key) => ofLeaflet(L.Control.Geocoder.nominatim({ serviceUrl: `${url}/k/${key}/` })),
  Photon: (url, key) =>
    ofLeaflet(
      L.Control.Geocoder.photon({
        serviceUrl: `${url}/k/${key}/photon/api/`,
        reverseUrl: `${url}/k/${key}/photon/reverse/`,
      }),
    ),
  Google: (url, key) =>
    ofLeaflet(L.Control.Geocoder.google({ apiKey: key, serviceUrl: `${url}/maps/api/geocode/json` })),
  MapLibre: ofMaplibre,
};

/** A geocoder of leaflet-control-geocoder. */
function ofLeaflet(geocoder) {
  const placeOf = ([first]) => first && { text: first.name, lat: first.center.lat, lon: first.center.lng };
  return {
    search: async text => placeOf(await geocoder.geocode(text)),
    reverse: async (lat, lon) => placeOf(await geocoder.reverse({ lat, lng: lon }, SCALE)),
  };
}

/** The control on a map without tiles, with the two functions of docs/clients.md. */
function ofMaplibre(url, key) {
  const ask = async (path, parameters) => {
    const answer = await fetch(`${url}/k/${key}/${path}?${new URLSearchParams({ format: 'geojson', ...parameters })}`);
    const { features = [], error } = await answer.json();
    if (error?.message !== undefined) throw new Error(error.message);
    return {
      features: features.map(feature => ({
        ...feature,
        place_name: feature.properties.display_name,
        center: feature.geometry.coordinates,
      })),
    };
  };
  const api = {
    forwardGeocode: ({ query }) => ask('search', { q: query, addressdetails: 1 }),
    reverseGeocode: ({ query: [lon, lat] }) => ask('reverse', { lat, lon }),
  };
  const map = new maplibregl.Map({ container: 'map', style: { version: 8, sources: {}, layers: [] } });
  const control = new MaplibreGeocoder(api, { maplibregl, reverseGeocode: true });
  map.addControl(control);
  let failed;
  control.on('error', ({ error }) => {
    failed = error;
  });
  // It tells of no results too where it tells of an error.
  const query = async text => {
    failed = undefined;
    const results = control.once('results');
    await Promise.allSettled([control.query(text)]);
    const [first] = (await results).features;
    if (failed !== undefined) throw failed;
    return first && { text: first.place_name, lat: first.center[1], lon: first.center[0] };
  };
  return { search: query, reverse: (lat, lon) => query(`${lat}, ${lon}`) };
}

// biome-ignore lint/correctness/noUnusedVariables: browser.ts calls it
async function ask(client, url, key, { words, nonsense, house, sea }) {
  const own = CLIENTS[client](url, key);
  const found = asked =>
    asked().then(
      place => place ?? null,
      error => ({ error: String(error) }),
    );
  return {
    search: await found(() => own.search(words)),
    reverse: await found(() => own.reverse(house.lat, house.lon)),
    nothing: await found(() => own.search(nonsense)),
    sea: await found(() => own.reverse(sea.lat, sea.lon)),
    ...(!HIDE_ERRORS.includes(client) && { wrongKey: await found(() => CLIENTS[client](url, 'wrong').search(words)) }),
  };
}
