// What well-known cities are called elsewhere (data/city_names.csv): the gazetteer has one name of each, mostly the English one.

import { readFileSync } from 'node:fs';
import type { City } from './cities.ts';

const COLUMNS = 'country,city,names';
/** Keys of names that are no language. */
const OTHER_KEYS = ['alt_name', 'old_name', 'short_name', 'official_name'];

/** Names of cities by key, those of the table included. */
export class CityNames {
  private readonly byCity = new Map<string, Record<string, string>>();

  /** @throws Error with a sentence when the table has another form */
  constructor() {
    const [columns, ...rows] = readFileSync(new URL('../../../../data/city_names.csv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    if (columns !== COLUMNS) throw new Error(`data/city_names.csv has the columns ${columns} in place of ${COLUMNS}.`);
    for (const row of rows) {
      const [country, city, names] = row.split(',');
      this.byCity.set(keyOf(country, city), namesIn(names));
    }
  }

  /** Names of the next city, those with most people first: of cities of one name in a country, the table means the first. */
  next({ country, name, otherNames }: City): Record<string, string> {
    const key = keyOf(country, name);
    const more = this.byCity.get(key) ?? {};
    this.byCity.delete(key);
    const others = [...otherNames, ...(more.alt_name === undefined ? [] : [more.alt_name])];
    return { name, ...more, ...(others.length === 0 ? {} : { alt_name: others.join(';') }) };
  }

  /** Cities of the table that did not come. */
  get left(): string[] {
    return [...this.byCity.keys()];
  }
}

function namesIn(text: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const part of text.split('|')) {
    const [key, name] = part.split('=');
    names[OTHER_KEYS.includes(key) ? key : `name:${key}`] = name;
  }
  return names;
}

function keyOf(country: string, name: string): string {
  return `${country} ${name}`;
}
