// What of an explanation goes over the public address. Whoever asks there must not learn of single stations what the position does not tell already
// (docs/security.md): nothing is said of what is known of a station, and no times: how long a look-up takes depends on what is known.

import type { ExplainedStation, Explanation } from '../../answer/explain/explanation.ts';

/** The JSON text of the public part. */
export function explanationText({ sent, stations }: Explanation): string {
  return JSON.stringify({ sent, stations: stations.map(publicStation) });
}

/** What the request itself says of a station. */
function publicStation({ list, entry, station, code, signalDbm, ageSeconds }: ExplainedStation): object {
  return { list, entry, station, code, signalDbm, ageSeconds };
}
