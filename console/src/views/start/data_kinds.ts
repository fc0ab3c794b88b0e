// What can be imported: what it is for, and where people get it. The details are in docs/importing.md and
// docs/indoor.md.

/** A kind of data. */
export interface DataKind {
  name: string;
  what: string;
  where: string;
  command: string;
}

/** The kinds, the commonest first. */
export const DATA_KINDS: readonly DataKind[] = [
  {
    name: 'Cells',
    what: 'Devices are located by the mobile network.',
    where: 'OpenCelliD (free key, CC BY-SA 4.0), or your network monitor',
    command: 'npx sextant import cells FILE',
  },
  {
    name: 'Access points',
    what: 'Devices are located by WiFi, to some ten metres.',
    where: 'Your own surveys, or lists that you have the right to use',
    command: 'npx sextant import wifi FILE',
  },
  {
    name: 'Measurements',
    what: 'Stations are learned from where they were heard.',
    where: 'NeoStumbler, WiGLE’s app, Tower Collector and others',
    command: 'npx sextant import observations FILE',
  },
  {
    name: 'Map',
    what: 'Addresses of positions, and search for houses, streets and places.',
    where: 'OpenStreetMap extracts (.osm.pbf) from Geofabrik',
    command: 'npx sextant import osm FILE',
  },
  {
    name: 'Addresses',
    what: 'Houses that the map lacks.',
    where: 'OpenAddresses, registers of countries, or your own table',
    command: 'npx sextant import addresses FILE --source NAME',
  },
  {
    name: 'Buildings',
    what: 'Floors and rooms.',
    where: 'Your floor plans, as GeoJSON',
    command: 'npx sextant import buildings FILE',
  },
];
