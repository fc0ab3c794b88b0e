// The names of countries as queries use them, in the world's larger languages, and their codes.

/** Languages in which country names are understood, besides the names on the map. */
const LANGUAGES =
  'en de fr it es pt nl da sv nb fi pl cs sk hu ro bg hr sl sr el tr ru uk et lv lt mt ga ca eu is sq mk ar he ' +
  'fa hi th vi id ms ja ko zh';
const CODE = /^[a-z]{2}$/;

let displayNames: Intl.DisplayNames[] | undefined;

/**
 * All names and short names of a country, and its code. @param code ISO 3166-1 alpha-2, lower case; none for other
 * codes
 */
export function countryNames(code: string): string[] {
  if (!CODE.test(code)) return [];
  displayNames ??= LANGUAGES.split(' ').flatMap(language =>
    (['long', 'short'] as const).map(
      style => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }),
    ),
  );
  const names = new Set([code]);
  for (const each of displayNames) {
    const name = each.of(code.toUpperCase());
    if (name !== undefined) names.add(name);
  }
  return [...names];
}
