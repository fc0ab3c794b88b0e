// What of an explanation goes over the public address. Whoever asks there must learn nothing of a single station that
// the answer does not tell (docs/security.md):
//
//   - A station that has no part in the answer is `notUsed`, whatever is known of it, and also where nothing is. What
//     is said of the others are distances, levels,
//     weights and radii: no station has a position, no guess of a fallback, and no estimate, which may be that of one
//     station.
//   - Nothing is said of estimates that are not in the answer, of strategies without one, or of how much of a scan the
//     map of a building knows: all of these depend on
//     stations that have no part in it.
//   - There are no times: a look-up takes as long as it takes to find something.

import type { ExplainedEstimate, ExplainedStation, Explanation } from '../../answer/explain/explanation.ts';

/** Digits behind the point of shares and factors; distances from stations have none, and other metres one. */
const DIGITS: Readonly<Record<string, number>> = {
  weight: 3,
  calibration: 3,
  radiusFactor: 3,
  confidenceFactor: 3,
  distanceMetres: 0,
};
const DIGITS_OF_METRES = 1;

/** The JSON text of the public part of the explanation of an answer. */
export function explanationText(explanation: Explanation): string {
  const { sent, stations, map, estimates, fallbacks, track, answer } = explanation;
  const joined = estimates.filter(estimate => estimate.joined);
  const strategies = new Set(joined.map(({ strategy }) => strategy));
  return JSON.stringify(
    {
      sent,
      stations: stations.map(station =>
        publicStation(station, station.strategy !== undefined && strategies.has(station.strategy)),
      ),
      map: strategies.has('map') ? map : undefined,
      estimates: joined.map(publicEstimate),
      fallbacks: fallbacks.map(({ fallback, result }) => ({ fallback, result })),
      track,
      radius: answer?.radius,
    },
    rounded,
  );
}

/** @param isJoined true if it takes part in an estimate of the answer */
function publicStation(explained: ExplainedStation, isJoined: boolean): object {
  const {
    list,
    entry,
    station,
    code,
    signalDbm,
    ageSeconds,
    taken,
    strategy,
    weight,
    distanceMetres,
    expectedMetres,
    known,
  } = explained;
  const sent = { list, entry, station, code, signalDbm, ageSeconds };
  if (!isJoined) return { ...sent, taken: 'notUsed' };
  // The map of a building is compared with all that is heard, known or not.
  if (strategy === 'fingerprints') return { ...sent, taken, strategy };
  return { ...sent, taken, strategy, weight, distanceMetres, expectedMetres, r50Metres: known?.r50Metres };
}

function publicEstimate({ latitude, longitude, covariance, joined, ...rest }: ExplainedEstimate): object {
  return rest;
}

function rounded(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toFixed(DIGITS[name] ?? DIGITS_OF_METRES));
}
