// The name of an import that was given none.

import { basename } from 'node:path';

/** Standard input among the paths of a command. */
export const STDIN = '-';
const NAME_CHARACTERS_MAX = 100;

/** The names of files without their endings: `cell_towers` for `/data/cell_towers.csv.gz`. */
export function nameOfFiles(paths: readonly string[]): string {
  const names = paths.map(path =>
    path === STDIN
      ? 'standard input'
      : basename(path).replace(/(\.(csv|txt|tsv|geojson|json|jsonl|zip|gz|osm|pbf))+$/i, ''),
  );
  return names.join(' ').slice(0, NAME_CHARACTERS_MAX);
}
