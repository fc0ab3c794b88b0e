// Whose data a place is, and under which licence. A place that a source of addresses has names its sources in its tag
// `source`; any other is of what its layer was built from.

import type { LayerMeta, Register } from './layer_meta.ts';
import type { Place } from './place.ts';

/** OpenStreetMap among the sources of a place. */
export const MAP_SOURCE = 'OpenStreetMap';
/** Between two of them; a name with it in it is shown as it is. */
export const SOURCE_SEPARATOR = '; ';
/** The tag of a place with its sources. */
export const SOURCE_TAG = 'source';

/** The licence of a place, as in answers. */
export function licenceOf(meta: LayerMeta, { tags }: Pick<Place, 'tags'>): string {
  const sources = tags[SOURCE_TAG];
  if (sources === undefined) return meta.licence;
  return sources
    .split(SOURCE_SEPARATOR)
    .map(name => (name === MAP_SOURCE ? meta.licence : namedLicence(meta, name)))
    .join(SOURCE_SEPARATOR);
}

/** The licences of all that a layer was built from. */
export function licencesOf(meta: LayerMeta): string[] {
  return [...new Set([meta.licence, ...registersOf(meta).map(({ name }) => namedLicence(meta, name))])];
}

/** The name of a source of addresses with its licence. */
export function namedLicence(meta: Pick<LayerMeta, 'extracts'>, name: string): string {
  const licence = registersOf(meta).find(register => register.name === name)?.licence;
  return licence === undefined ? name : `${name}: ${licence}`;
}

/** All sources of addresses in a layer, also those that came in finished places. */
export function registersOf({ extracts = [] }: Pick<LayerMeta, 'extracts'>): Register[] {
  return extracts.flatMap(({ kind, name, licence, registers = [] }) =>
    kind === undefined ? registers : [{ name, ...(licence !== undefined && { licence }) }],
  );
}
