// The sources of the project, for tests that read them.

import { readdirSync, readFileSync } from 'node:fs';

/** Programs under folders, by path from the root. */
export function programs(...tops: string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const top of tops) {
    for (const name of readdirSync(top, { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${name.replaceAll('\\', '/')}`;
      if (/\.[jt]sx?$/.test(path)) files.set(path, readFileSync(path, 'utf8'));
    }
  }
  return files;
}
