// Clients for Python, and GDAL as Python brings it. What they are asked is in python_clients.py.

import { join } from 'node:path';
import { installPython, type Program, run, type Served } from '../program.ts';
import { type Findings, QUESTIONS } from '../questions.ts';

const SCRIPT = join(import.meta.dirname, 'python_clients.py');

async function ask(client: string, { host, key }: Served, folder: string): Promise<Findings> {
  const words = [SCRIPT, client, host, key, JSON.stringify(QUESTIONS)];
  return JSON.parse(await run(join(folder, 'bin/python'), words));
}

const clients = (...names: string[]): Program['clients'] =>
  Object.fromEntries(
    names.map(name => [name, (served: Served, folder: string): Promise<Findings> => ask(name, served, folder)]),
  );

export const PYTHON: readonly Program[] = [
  {
    name: 'geopy',
    install: folder => installPython(folder, 'geopy'),
    clients: clients('geopy: Nominatim', 'geopy: Photon', 'geopy: GoogleV3'),
  },
  {
    name: 'googlemaps',
    install: folder => installPython(folder, 'googlemaps'),
    clients: clients('googlemaps: geocode', 'googlemaps: geolocate'),
  },
  {
    name: 'geocoder',
    install: folder => installPython(folder, 'geocoder'),
    clients: clients('geocoder: osm'),
  },
  {
    name: 'GDAL',
    async install(folder) {
      await installPython(folder, 'pyogrio');
      return (
        await run(join(folder, 'bin/python'), ['-c', 'import pyogrio; print(pyogrio.__gdal_version_string__)'])
      ).trim();
    },
    clients: clients('GDAL: ogr_geocode'),
  },
];
