// The name of an import that was given none.

import { basename } from 'node:path';
import { STDIN } from './text_file.ts';

const NAME_CHARACTERS_MAX = 100;

/** The names of files without their endings: `cell_towers` for `/data/cell_towers.csv.gz`. */
export function nameOfFiles(paths: readonly string[]): string {
  const names = paths.map(path =>
    path === STDIN ? 'standard input' : basename(path).replace(/(\.(csv|txt|tsv|gz|geojson|json|zip|osm|pbf))+$/i, ''),
  );
  return names.join(' ').slice(0, NAME_CHARACTERS_MAX);
}
