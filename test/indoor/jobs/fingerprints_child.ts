// A process of its own that imports fingerprints: node fingerprints_child.ts FOLDER SOURCE FILE

import { changeFingerprints } from '../../../src/indoor/jobs/change_fingerprints.ts';

const [folder, source, file] = process.argv.slice(2);
await changeFingerprints({ verb: 'import', kind: 'fingerprints', files: [file], source }, folder, () => {});
