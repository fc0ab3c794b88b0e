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
      : basename(path).replace(/(\.(csv|txt|tsv|geojson|json|jsonl|zip|gz|osm|pbf|places))+$/i, ''),
  );
  return names.join(' ').slice(0, NAME_CHARACTERS_MAX);
}

// An import takes the place of what one of the same name has brought. Names come from files, and the files of two
// folders often have one name. An import that lacks most of what its name holds is therefore refused, unless whoever
// asks for it says that all that may go. An update of a table lacks little of it.

/** An import that was refused because of what would go. Whoever asked for it may ask again with `replace`. */
export class ReplacementRefused extends Error {}

/**
 * @param things that the source holds, in the plural
 * @param held by the source now
 * @param lost of these in the import
 * @throws ReplacementRefused when that is more than half
 */
export function refuseLoss(source: string, things: string, held: number, lost: number): void {
  if (lost * 2 <= held) return;
  const [all, gone] = [held, lost].map(number => number.toLocaleString('en'));
  throw new ReplacementRefused(
    `What is imported now lacks ${gone} of the ${all} ${things} of the source "${source}", more than half: it ` +
      `may be another file of the same name. Nothing was changed.`,
  );
}
