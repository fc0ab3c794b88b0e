// Names of the dialects that the setting `--dialects` takes. What they are is in src/protocol/dialects/table.ts.

/** Every dialect. */
export const DIALECTS = [
  'photon',
  'google-geocoding',
  'here',
  'nrf-cloud',
  'unwired',
  'lora-cloud',
  'opencellid',
  'owntracks',
  'chirpstack',
  'tts',
  'aws-iot',
  'mozilla-search',
  'mylnikov',
] as const;

/** Name of a dialect. */
export type DialectName = (typeof DIALECTS)[number];

/** Some dialects: `all`, `none`, or their names with commas between them. */
export function dialects(text: string): readonly DialectName[] {
  if (text === 'all') return DIALECTS;
  if (text === 'none') return [];
  const names = text.split(',').map(name => name.trim());
  const isKnown = (name: string): name is DialectName => (DIALECTS as readonly string[]).includes(name);
  if (!names.every(isKnown)) throw new Error(`must be all, none, or some of ${DIALECTS.join(', ')}`);
  return names;
}
