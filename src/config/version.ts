// The version of this service, which routes and metrics tell.

import { readFileSync } from 'node:fs';

/** As package.json has it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
