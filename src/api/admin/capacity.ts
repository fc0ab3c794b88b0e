// GET /capacity: what a capacity run has found (docs/operating.md), from the file that it has written. The run needs a
// quiet machine and its tools, so the service does not start it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../config/regular_file.ts';
import { Refused } from '../console/refused.ts';

const CAPACITY_FILE = 'capacity.json';
const FILE_BYTES_MAX = 4_194_304;
/** Version of the report (bench/capacity/report.ts). */
const REPORT_VERSION = 2;

/** The report in a data folder. @throws Refused when there is none, or it cannot be used */
export function readCapacity(folder: string): object {
  const path = join(folder, CAPACITY_FILE);
  if (!existsSync(path))
    throw new Refused(
      404,
      `No capacity run has been made: "npm run bench -- capacity" measures this machine and writes ${CAPACITY_FILE}, ` +
        `which belongs into the data folder.`,
    );
  const report = parsed(path) as { version?: unknown; scenarios?: unknown } | null;
  if (report?.version === REPORT_VERSION && Array.isArray(report.scenarios)) return report;
  throw new Refused(409, `The file ${CAPACITY_FILE} in the data folder is no report of version ${REPORT_VERSION}.`);
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, FILE_BYTES_MAX).toString());
  } catch (error) {
    throw new Refused(409, `The file ${CAPACITY_FILE} in the data folder cannot be used: ${(error as Error).message}.`);
  }
}
