// A process of its own that imports: node import_child.ts FOLDER KIND FILE…

import { importStations } from '../../src/transfer/import_stations.ts';

const [folder, kind, ...files] = process.argv.slice(2);
await importStations({ folder, kind: kind as 'cells' | 'wifi', files, stdin: process.stdin, onProgress: () => {} });
