// Points as other programs write them: links of maps, geo: of RFC 5870, and geometries of one point. Each form names
// latitude and longitude; of several in one link the more exact comes first, a marker or place before the middle of the
// map.

import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../../tables/places/place.ts';

/** A point in a text. */
interface LinkPoint {
  match: RegExpExecArray;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

const DECIMAL = '[+-]?\\d+(?:\\.\\d+)?';
const LAT = `(?<lat>${DECIMAL})`;
const LON = `(?<lon>${DECIMAL})`;
const COMMA = '(?:,|~|%2C|\\s|%20|\\+)+';
const FORMS = [
  `\\S*!3d${LAT}!4d${LON}\\S*`,
  `geo:0,0\\?q=${LAT},${LON}(?:\\([^)]*\\))?`,
  `\\S*[?&]mlat=${LAT}&mlon=${LON}\\S*`,
  // Yandex has longitude first.
  `\\S*yandex\\.\\S*[?&](?:ll|pt)=${LON}${COMMA}${LAT}\\S*`,
  `\\S*[?&](?:q|query|ll|sll|center|daddr|destination|to|cp|map|coordinate|point|loc)=(?:loc:)?${LAT}${COMMA}${LON}\\S*`,
  `\\S*[?&]lat(?:itude)?=${LAT}&(?:lon|lng|long|longitude)=${LON}\\S*`,
  `\\S*#(?:map=)?\\d+(?:\\.\\d+)?/${LAT}/${LON}\\S*`,
  `https?://\\S*[@/]${LAT},${LON}(?:[,?/]\\S*)?(?=\\s|$)`,
  `geo:${LAT},${LON}\\S*`,
  `(?:SRID=\\d+;)?\\s*POINT\\s*Z?\\s*\\(\\s*${LON}\\s+${LAT}[^)]*\\)`,
  `^.*"coordinates"\\s*:\\s*\\[\\s*${LON}\\s*,\\s*${LAT}.*$`,
].map(form => new RegExp(form, 'iu'));
const SHORT_LINK = /\S*(?:osm\.org|openstreetmap\.org)\/go\/([A-Za-z0-9_~@]{3,20})-*\S*/;
const SHORT_LINK_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~';
const BITS_PER_DIGIT = 6;
const LONGITUDES = 360;
const LATITUDES = 180;

const OBJECT_LINK = /(?:openstreetmap|osm)\.org\/(node|way|relation)\/(\d{1,15})(?!\d)/i;

const OBJECT_TYPES: Readonly<Record<string, OsmType>> = { node: OSM_NODE, way: OSM_WAY, relation: OSM_RELATION };

/** The object of OpenStreetMap to which a text links. */
export function linkedObject(text: string): { type: OsmType; id: number } | undefined {
  const match = text.includes('/') ? OBJECT_LINK.exec(text) : null;
  return match === null ? undefined : { type: OBJECT_TYPES[match[1].toLowerCase()], id: Number(match[2]) };
}

/** The point in a text that is a link, or comes from another program. */
export function linkPoint(text: string): LinkPoint | undefined {
  if (!(text.includes(':') || text.includes('/') || text.includes('('))) return undefined;
  for (const form of FORMS) {
    const match = form.exec(text);
    if (match !== null) return { match, latitude: Number(match.groups!.lat), longitude: Number(match.groups!.lon) };
  }
  const short = SHORT_LINK.exec(text);
  return short === null ? undefined : { match: short, ...shortLinkPoint(short[1].replaceAll('@', '~')) };
}

/**
 * The middle of the square that a short link names: each letter has three bits of longitude and latitude, in turns.
 * Source: lib/short_link.rb of openstreetmap-website.
 */
function shortLinkPoint(code: string): { latitude: number; longitude: number } {
  let [x, y, size] = [0, 0, 1];
  for (const letter of code) {
    const digit = SHORT_LINK_DIGITS.indexOf(letter);
    for (let bit = BITS_PER_DIGIT - 1; bit > 0; bit -= 2) {
      size /= 2;
      x += ((digit >> bit) & 1) * size;
      y += ((digit >> (bit - 1)) & 1) * size;
    }
  }
  return {
    latitude: (y + size / 2) * LATITUDES - LATITUDES / 2,
    longitude: (x + size / 2) * LONGITUDES - LONGITUDES / 2,
  };
}
