// The setting of another map for the ground of the console.

import { optional } from './setting.ts';
import { path } from './values.ts';

/** A file of tiles, or the address of one, or of tiles by their numbers. */
export type MapSetting = { file: string } | { url: string };

/** Reads it: `FILE.pmtiles`, `https://…/FILE.pmtiles`, or `https://…/{z}/{x}/{y}…`. */
export function mapSetting(text: string): MapSetting {
  if (!/^https?:\/\//.test(text)) {
    if (!text.endsWith('.pmtiles')) throw new Error('must be a file FILE.pmtiles, or the address of a map');
    return { file: path(text) };
  }
  const isTemplate = ['{z}', '{x}', '{y}'].every(part => text.includes(part));
  const url = URL.parse(text);
  // What stands in a policy of the page may be no more than an origin.
  if (url === null || url.username !== '' || !/^https?:\/\/[\w.:[\]-]+$/.test(url.origin))
    throw new Error('must be an address without a user');
  if (!isTemplate && !url.pathname.endsWith('.pmtiles'))
    throw new Error('must be the address of a file .pmtiles, or have {z}, {x} and {y} in it');
  return { url: text };
}

/** The row of the setting. */
export const otherMap = {
  ...optional('map', '<file|url>', 'other tiles for the map of the console: FILE.pmtiles, or an address', mapSetting),
  isPath: true as const,
};
