// The name of a place in the language of the one who asks.

/** Names that stand in for a missing one, best first. */
const STAND_INS = ['brand', 'official_name', 'short_name', 'ref', 'int_name', 'loc_name', 'alt_name', 'old_name'];

/**
 * The name in the first language that the place has one in, then its plain name, then what stands in for it.
 * @param languages BCP 47 tags, best first; `de-AT` is also content with `de`
 * @returns empty where it has none
 */
export function nameIn(names: Readonly<Record<string, string>>, languages: readonly string[]): string {
  for (const language of languages) {
    const name = names[`name:${language}`] ?? names[`name:${language.split('-', 1)[0]}`];
    if (name) return name;
  }
  if (names.name) return names.name;
  for (const key of STAND_INS) if (names[key]) return names[key];
  return '';
}
