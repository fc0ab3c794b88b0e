// Foreign names of well-known cities (data/city_names.csv). The gazetteer itself has one name for each city, usually
// the English one.

import { readFileSync } from 'node:fs';
import type { City } from './cities.ts';

const COLUMNS = 'country,city,names';
/** Keys of names that are not languages. */
const OTHER_KEYS = ['alt_name', 'old_name', 'short_name', 'official_name'];

/** Looks up the names of cities, including those of the table. */
export class CityNames {
  private readonly byCity = new Map<string, Record<string, string>>();

  /** @throws Error with a full sentence if the table has other columns */
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

  /**
   * Names of the next city. Cities must come most populous first: of namesakes in one country, the table means the
   * first.
   */
  next({ country, name, otherNames }: City): Record<string, string> {
    const key = keyOf(country, name);
    const more = this.byCity.get(key) ?? {};
    this.byCity.delete(key);
    const others = [...otherNames, ...(more.alt_name === undefined ? [] : [more.alt_name])];
    return { name, ...more, ...(others.length === 0 ? {} : { alt_name: others.join(';') }) };
  }

  /** Cities of the table that were never asked for. */
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
