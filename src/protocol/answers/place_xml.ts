// Places as XML, in the forms that older clients of OpenStreetMap's geocoder read: a list of places, or the result of a
// point with the parts of its address beside it.

import type { FoundPlace } from '../../geocoding/found_place.ts';
import type { AnswerForm } from '../requests/place_question.ts';
import type { ShapeJson } from './geocodejson.ts';
import { kmlOf, svgOf, wktOf } from './shape_text.ts';

/** What is written of a place besides what it says of itself. */
export interface WrittenPlace {
  place: FoundPlace;
  /** Its shape, where one is asked for. */
  shape: ShapeJson | undefined;
  /** Further tags, where they are asked for. */
  tags: Readonly<Record<string, string>> | undefined;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n';
const DECIMALS = 7;
/** Keys of address rows that can name an element; maps have others, too. */
const ELEMENT_NAME = /^[a-z_][\w.-]*$/i;

/** Places of a search or a look-up. @param query what was searched for */
export function placesXml(places: readonly WrittenPlace[], form: AnswerForm, query: string | undefined): string {
  const attribution = [...new Set(places.map(({ place }) => place.licence))].join('; ');
  const items = places.map(written => {
    const { category, type, displayName, importance } = written.place;
    const more = { display_name: displayName, class: category, type, importance: importance.toFixed(DECIMALS) };
    const parts = form.hasAddress ? addressXml(written.place) : '';
    return element('place', { ...attributesOf(written, form), ...more }, parts + moreXml(written, form));
  });
  return HEAD + element('searchresults', { attribution, querystring: query }, items.join('\n'));
}

/** The place of a point. */
export function resultXml(written: WrittenPlace, form: AnswerForm): string {
  const { place } = written;
  const result = element('result', attributesOf(written, form), escaped(place.displayName));
  const parts = form.hasAddress ? element('addressparts', {}, addressXml(place)) : '';
  return HEAD + element('reversegeocode', { attribution: place.licence }, result + parts + moreXml(written, form));
}

/** That a point has none. */
export function errorXml(message: string): string {
  return HEAD + element('reversegeocode', {}, element('error', {}, escaped(message)));
}

function attributesOf({ place, shape }: WrittenPlace, { shapes = [] }: AnswerForm): Attributes {
  const { placeId, osmType, osmId, placeRank, south, north, west, east, latitude, longitude } = place;
  const has = (member: (typeof shapes)[number]) => shape !== undefined && shapes.includes(member);
  return {
    place_id: placeId,
    osm_type: osmType,
    osm_id: osmId,
    place_rank: placeRank,
    address_rank: placeRank,
    lat: latitude.toFixed(DECIMALS),
    lon: longitude.toFixed(DECIMALS),
    boundingbox: [south, north, west, east].map(degrees => degrees.toFixed(DECIMALS)).join(','),
    geojson: has('geojson') ? JSON.stringify(shape) : undefined,
    geosvg: has('svg') ? svgOf(shape!) : undefined,
    geotext: has('geotext') ? wktOf(shape!) : undefined,
  };
}

function addressXml({ address }: FoundPlace): string {
  return address
    .filter(({ key }) => ELEMENT_NAME.test(key))
    .map(({ key, value }) => element(key, {}, escaped(value)))
    .join('');
}

function moreXml({ place, shape, tags }: WrittenPlace, { shapes = [], hasNames }: AnswerForm): string {
  const kml = shape !== undefined && shapes.includes('geokml') ? element('geokml', {}, kmlOf(shape)) : '';
  const names = Object.entries(place.names).map(([desc, name]) => element('name', { desc }, escaped(name)));
  const tagged = Object.entries(tags ?? {}).map(([key, value]) => element('tag', { key, value }, ''));
  return (
    kml +
    (hasNames ? element('namedetails', {}, names.join('')) : '') +
    (tags === undefined ? '' : element('extratags', {}, tagged.join('')))
  );
}

function element(name: string, attributes: Attributes, content: string): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`],
  );
  return `<${name}${written.join('')}>${content}</${name}>`;
}

/** A text that may stand in an element or an attribute. XML has no way to write most control characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
