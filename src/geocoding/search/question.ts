// What can be asked of the search by words.

import type { Box } from '../../geo/box.ts';

/** A place asked for by words. */
export interface SearchQuestion {
  /** Free text; empty when `parts` say it. */
  text: string;
  /** Structured question: members that are not asked for are left out. */
  parts: SearchParts | undefined;
  /** 1..50 */
  limit: number;
  /** Degrees; places inside come first. */
  viewbox: Box | undefined;
  /** Only places inside the viewbox. */
  isBounded: boolean;
  /** ISO 3166-1 alpha-2, lower case; empty = all. */
  countryCodes: readonly string[];
  languages: readonly string[];
  /** The last word may be unfinished. */
  isAutocomplete: boolean;
}

/** The parts of a structured question. */
export interface SearchParts {
  amenity?: string;
  street?: string;
  city?: string;
  county?: string;
  state?: string;
  country?: string;
  postalcode?: string;
}

/** A question in free text, with nothing else said than what is given. */
export function inWords(text: string, more: Partial<SearchQuestion> = {}): SearchQuestion {
  return {
    text,
    parts: undefined,
    limit: 10,
    viewbox: undefined,
    isBounded: false,
    countryCodes: [],
    languages: [],
    isAutocomplete: false,
    ...more,
  };
}
