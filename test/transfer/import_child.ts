// A process of its own that imports: node import_child.ts FOLDER KIND SOURCE FILE…, or takes a source out: node
// import_child.ts FOLDER remove SOURCE

import { importStations, removeImported } from '../../src/transfer/import_stations.ts';
import { IMPORT_PARTS } from '../kits/radio/imports.ts';

const [folder, kind, source, ...files] = process.argv.slice(2);
const parts = { folder, onProgress: () => {}, ...IMPORT_PARTS };
if (kind === 'remove') await removeImported({ ...parts, name: source });
else await importStations({ ...parts, kind: kind as 'cells' | 'wifi', source, files, stdin: process.stdin });
