// A service for positions in buildings: a temporary one, into which an operator has imported plans and fingerprints.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Job } from '../../src/jobs/job.ts';
import { withLabService } from '../lab_service.ts';
import type { IndoorKnowledge } from './evaluate_indoors.ts';

/**
 * Starts a service, does the work and stops the service.
 * @throws what the work throws, or Error when an import fails or the service cannot start or continue
 */
export async function withIndoorService<T>(
  { buildings, fingerprints }: IndoorKnowledge,
  work: (address: { url: string; key: string }) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-imports-'));
  try {
    const imports: Job[] = [];
    if (buildings !== undefined) {
      const file = join(folder, 'buildings.geojson');
      writeFileSync(file, buildings);
      imports.push({ verb: 'import', kind: 'buildings', files: [file], source: 'plans' });
    }
    imports.push({ verb: 'import', kind: 'fingerprints', files: [fileOf(folder, fingerprints)], source: 'survey' });
    return await withLabService(work, { imports, settings: { indoor: true } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The file of fingerprints. Where it is made, its folder of plans stands beside it. */
function fileOf(folder: string, fingerprints: IndoorKnowledge['fingerprints']): string {
  if (typeof fingerprints === 'string') return resolve(fingerprints);
  const { name, lines, plans } = fingerprints;
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  symlinkSync(resolve(plans), join(folder, basename(plans)));
  return file;
}
