// How common clients are told of the service: docs/clients.md. Each text is ready to be pasted.

interface Client {
  name: string;
  /** Where the text goes. */
  place: string;
  text(address: string, key: string): string;
}

const BODY =
  '{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:d3","signalStrength":-50},' +
  '{"macAddress":"02:00:5e:00:00:d4","signalStrength":-60},{"macAddress":"02:00:5e:00:00:e7","signalStrength":-58}]}';

/** The clients, the plainest first. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'curl',
    place: 'A position, in a terminal',
    text: (address, key) => `curl '${address}/?key=${key}' -d '${BODY}'`,
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
    name: 'microG, NeoStumbler',
    place: 'The address of a custom service; NeoStumbler sends its reports to the second one',
    text: (address, key) => `${address}/v1/geolocate?key=${key}\n${address}/v2/geosubmit?key=${key}`,
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
      const { protocol, host } = new URL(address);
      return (
        `from geopy.geocoders import Nominatim\n` +
        `places = Nominatim(user_agent='me', scheme='${protocol.slice(0, -1)}', domain='${host}/k/${key}')\n` +
        `print(places.geocode('Vaduz'))`
      );
    },
  },
];
