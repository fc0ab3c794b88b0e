// How common clients are told of the service, as docs/clients.md has it: a test compares. Each text is ready to be
// pasted.

interface Client {
  /** As in the title of its section there. */
  name: string;
  /** Where the text goes. */
  place: string;
  /** @param body a request that is answered */
  text(address: string, key: string, body: object): string;
}

/** The clients, the plainest first. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'curl',
    place: 'A position, in a terminal',
    text: (address, key, body) => `curl '${address}/?key=${key}' -d '${JSON.stringify(body)}'`,
  },
  {
    name: 'Firefox',
    place: 'about:config, geo.provider.network.url',
    text: (address, key) => `${address}/v1/geolocate?key=${key}`,
  },
  {
    name: 'GeoClue',
    place: '/etc/geoclue/geoclue.conf',
    text: (address, key) =>
      `[wifi]\nenable=true\nurl=${address}/v1/geolocate?key=${key}\n` +
      `submit-data=false\nsubmission-url=${address}/v2/geosubmit?key=${key}`,
  },
  {
    name: 'microG',
    place: 'Location, online services, custom: for WiFi and for cells. It appends its paths itself',
    text: (address, key) => `${address}/k/${key}`,
  },
  {
    name: 'NeoStumbler',
    place: 'An own endpoint: its address, its path and its API key, which may contribute',
    text: (address, key) => `${address}\n/v2/geosubmit\n${key}`,
  },
  {
    name: 'Traccar',
    place: 'conf/traccar.xml',
    text: (address, key) =>
      `<entry key='geolocation.enable'>true</entry>\n<entry key='geolocation.type'>universal</entry>\n` +
      `<entry key='geolocation.url'>${address}/v1/geolocate</entry>\n<entry key='geolocation.key'>${key}</entry>`,
  },
  {
    name: 'geopy',
    place: 'Python; other clients of OpenStreetMap’s geocoder take the same address',
    text: (address, key) => {
      const [scheme, host] = address.split('://');
      const others = scheme === 'https' ? '' : `, scheme="${scheme}"`;
      return `Nominatim(user_agent="my program", domain="${host}/k/${key}"${others})`;
    },
  },
];
