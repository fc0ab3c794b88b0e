// A process of its own that imports extracts: node import_child.ts FOLDER FILE…

import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';

const [folder, ...files] = process.argv.slice(2);
await importExtracts({ folder, files, onProgress: () => {} });
