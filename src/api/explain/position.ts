// Explains the answer to a request for a position, given by its body: as an object and in words, for people who support
// others.

import type { Answerer } from '../../answer/answerer.ts';
import type {
  ExplainedAnswer,
  ExplainedBuilding,
  ExplainedEstimate,
  ExplainedStation,
  Explanation,
  KnownStation,
  RadiusParts,
  Sent,
} from '../../answer/explain/explanation.ts';
import { withSources } from '../../answer/explain/sources.ts';
import { ABSENT, FALLBACK_RESULTS, LEFT_OUT, PARTS, STRATEGIES, TAKEN } from '../../answer/explain/words.ts';
import { radiusFactor } from '../../positioning/estimates/estimate.ts';
import { positionText, wantsOf } from '../../protocol/answers/position.ts';
import type { PositionBody } from '../../protocol/requests/schema.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import type { Located } from '../../tasks/locate.ts';
import { type Explained, type Item, line, type Section, section } from './explained.ts';
import { type EarlierPosition, type Shape, shapesAround } from './surroundings.ts';

/** Smaller parts of a radius are not shown. */
const SHOWN_METRES = 0.05;

/**
 * Explains the answer to a body. @param folder data folder @param loneBeacons LONE_BEACONS_* bit @throws Error when a
 * table cannot be used
 */
export async function explainBody(
  answerer: Answerer,
  folder: string,
  body: PositionBody,
  loneBeacons = 0,
): Promise<Explained> {
  // What a body wants by default is a matter of its key.
  const wants = wantsOf(body, { byDefault: {}, isCovered: true }) | loneBeacons;
  const located = explainPosition(answerer, { body, arrivalMs: Date.now(), wants, asker: 0, state: undefined });
  const explanation = await withSources(folder, located.explanation);
  return { ...(await surrounded(folder, explanation, located, [])), ...answerOf(located) };
}

/** An explanation, as an object and in words, with what is around the answer. @param before where the device was */
export async function surrounded(
  folder: string,
  explanation: Explanation,
  located: Located,
  before: EarlierPosition[],
): Promise<Pick<Explained, 'object' | 'sections'>> {
  const shapes = await shapesAround(folder, withBuilding(answerOf(located).response, explanation.building));
  const around = { ...(shapes.length > 0 && { shapes }), ...(before.length > 0 && { before }) };
  return { object: { ...explanation, ...around }, sections: describePosition(explanation, shapes, before) };
}

/** An answer that names the building by whose map it was placed, also where nobody has asked for its name. */
function withBuilding(response: unknown, building: ExplainedBuilding | undefined): unknown {
  if (response === undefined || building === undefined || !building.isUsed || building.name === '') return response;
  return { indoor: { building: building.name, floorIndex: building.floorIndex }, ...(response as object) };
}

const CIRCLE_PERCENTS = [50, 68, 95];

/** What would be answered, as the public address writes it, and how likely it is within which radii. */
export function answerOf({ position, texts, outcome }: Located): Pick<Explained, 'response' | 'circles'> {
  if (position === undefined) return {};
  const { confidence, gps } = outcome;
  const nothing = {
    speed: undefined,
    credits: undefined,
    expires: undefined,
    state: undefined,
    explanation: undefined,
  };
  const { logId: _, ...response } = JSON.parse(
    positionText(position, texts, { confidence, gps, ...nothing, logId: 0 }),
  );
  return {
    response,
    circles: CIRCLE_PERCENTS.map(percent => ({
      confidence: percent,
      metres: position.accuracyMetres * radiusFactor(percent, position),
    })),
  };
}

/** An explanation in words. */
function describePosition(
  explanation: Explanation,
  shapes: readonly Shape[],
  before: readonly EarlierPosition[],
): Section[] {
  const { sent, stations, building, map, estimates, absent, fallbacks, track, answer, stages } = explanation;
  return [
    describeSent(sent),
    ...section(
      'Stations',
      stations.map((each, i) => ({ about: `station:${i}`, lines: describeStation(each) })),
    ),
    ...section(
      'Building',
      building === undefined ? [] : [{ ...aboutBuilding(shapes, building), lines: [describeBuilding(building)] }],
    ),
    ...section(
      'Inside',
      shapes.map(({ about, name }) => ({ about, lines: [`${about} ${name}`] })),
    ),
    ...section('Map', map === undefined ? [] : [{ ...aboutStation(stations, map.station), lines: [describeMap(map)] }]),
    ...section('Estimates', [
      ...estimates.map((each, i) => ({ about: `estimate:${i}`, lines: describeEstimate(each) })),
      ...absent
        .filter(({ why }) => why !== 'notSent')
        .map(({ strategy, why }) => `${STRATEGIES[strategy]}: none, ${ABSENT[why]}`),
    ]),
    ...section(
      'Fallbacks',
      fallbacks.map(({ fallback, result, guesses }, i) => ({
        ...(guesses && { about: `fallback:${i}` }),
        lines: [`${fallback}: ${FALLBACK_RESULTS[result]}`],
      })),
    ),
    ...section('Track', describeTrack(track, before)),
    answer === undefined ? line('Answer: not found') : describeAnswer(answer),
    line(`Time: ${stages.map(({ stage, microseconds }) => `${stage} ${microseconds} µs`).join(', ')}`),
  ];
}

/** What the map of a cell speaks of, if the cell is among the stations. */
function aboutStation(stations: readonly ExplainedStation[], name: string): { about?: string } {
  const at = stations.findIndex(({ station, known }) => station === name && known !== undefined);
  return at < 0 ? {} : { about: `station:${at}` };
}

/** The outline that a line about a building speaks of, if there is one. */
function aboutBuilding(shapes: readonly Shape[], { isUsed }: ExplainedBuilding): { about?: string } {
  return isUsed && shapes.some(({ about }) => about === 'building') ? { about: 'building' } : {};
}

function describeTrack(track: Explanation['track'], before: readonly EarlierPosition[]): Item[] {
  const count = before.length === 1 ? 'one position' : `${before.length} positions`;
  return [
    ...(before.length === 0 ? [] : [{ about: 'track', lines: [`${count} before`] }]),
    ...(track === undefined
      ? []
      : [
          {
            lines: [
              `moved the position by ${metres(track.movedMetres)}, the radius times ${track.radiusFactor.toFixed(2)}`,
            ],
          },
        ]),
  ];
}

function describeSent({ wifiAccessPoints, bluetoothBeacons, cellTowers, gps, leftOut, ignored, more }: Sent): Section {
  const title =
    `Sent: access points ${wifiAccessPoints}, beacons ${bluetoothBeacons}, cells ` +
    `${cellTowers}${gps === undefined ? '' : ', a fix'}`;
  const lines = [
    ...(gps === 'leftOut' ? ['gps is left out: it has no place on the globe, or is older than ten minutes'] : []),
    ...leftOut.map(({ list, entry, why }) => `${list}[${entry}] is left out: ${LEFT_OUT[why]}`),
    ...ignored.map(({ list, entry, member }) => `${list}[${entry}].${member} is not read: it is out of its range`),
    ...(more === undefined ? [] : [`not all are named: ${JSON.stringify(more)}`]),
  ];
  return { title, items: lines.map(each => ({ lines: [each] })) };
}

function describeStation(explained: ExplainedStation): string[] {
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
  const heard = [
    `${list}[${entry}]`,
    ...(signalDbm === undefined ? [] : [`${signalDbm} dBm`]),
    ...(ageSeconds === undefined ? [] : [`${ageSeconds} s ago`]),
  ];
  const part = [
    strategy === undefined ? TAKEN[taken] : `${TAKEN[taken]} ${STRATEGIES[strategy]}`,
    ...(weight === undefined ? [] : [`weight ${percent(weight)}`]),
    ...(distanceMetres === undefined ? [] : [`${metres(distanceMetres)} from there`]),
    ...(expectedMetres === undefined ? [] : [`its level says ${metres(expectedMetres)}`]),
  ];
  return [
    `${station ?? `code ${code}`} (${heard.join(', ')})`,
    `  ${part.join(', ')}`,
    ...(known === undefined ? [] : [`  ${describeKnown(known)}`]),
  ];
}

function describeKnown({
  source,
  sources,
  isUntrusted,
  latitude,
  longitude,
  r50Metres,
  samples,
  lastSeen,
}: KnownStation): string {
  const seen = lastSeen === undefined ? '' : `, last seen about ${lastSeen}`;
  const trust = isUntrusted ? ', by accounts that are not trusted' : '';
  const listed = sources === undefined ? '' : ` (${sources.join(', ')})`;
  return (
    `${source}${listed}${trust}, at ${at(latitude, longitude)}, half of at least ${samples} observations within ` +
    `${metres(r50Metres)}${seen}`
  );
}

function describeBuilding({
  name,
  share,
  similarity,
  floorIndex,
  floorProbability,
  isFollowed,
  isUsed,
}: ExplainedBuilding): string {
  const like = `its map knows ${percent(share)} of the scan, and the likeliest place is ${percent(similarity)} like it`;
  const floor = `floor ${floorIndex} with ${percent(floorProbability)}`;
  return (
    `${name === '' ? 'without a name' : name}: ${like}; ` +
    `${floor}${isFollowed ? '; followed' : ''}${isUsed ? '' : '; not used'}`
  );
}

function describeMap({ station, points, observations, cells, isFollowed }: NonNullable<Explanation['map']>): string {
  const size = `${points} points of ${observations} observations`;
  return (
    `of ${station}: ${size} were compared by ${cells} of the cells ` +
    `heard${isFollowed ? '; followed from before' : ''}`
  );
}

function describeEstimate(estimate: ExplainedEstimate): string[] {
  const { strategy, latitude, longitude, radiusMetres, uncalibratedMetres, parts, calibration, stations, evidence } =
    estimate;
  const { joined, weight, distanceMetres } = estimate;
  const tested = calibration === 1 ? '' : `, before tests ${metres(uncalibratedMetres)}`;
  const rests = stations === 0 ? '' : `rests on ${stations} ${stations === 1 ? 'station' : 'stations'}, `;
  const part = joined
    ? `in the answer with weight ${percent(weight!)}`
    : `left out: ${metres(distanceMetres)} from the answer`;
  return [
    `${STRATEGIES[strategy]}: ${at(latitude, longitude)}, radius ${metres(radiusMetres)}${tested}`,
    `  made of ${describeParts(parts)}`,
    `  ${rests}evidence ${evidence}; ${part}`,
  ];
}

function describeAnswer({ latitude, longitude, radius, fallback }: ExplainedAnswer): Section {
  const { metres: answered, r50Metres, parts, calibrationMetres, trackMetres, confidence, confidenceFactor } = radius;
  const by = fallback === undefined ? '' : ` by the fallback ${fallback}`;
  const more = [
    ...(calibrationMetres === 0 ? [] : [`calibration ${signed(calibrationMetres)}`]),
    ...(trackMetres === 0 ? [] : [`track ${signed(trackMetres)}`]),
  ];
  const share = confidence === 50 ? '' : `; times ${confidenceFactor.toFixed(2)} for ${confidence} %`;
  return {
    title: `Answer: ${at(latitude, longitude)}, radius ${answered} m${by}`,
    about: 'answer',
    items: [{ lines: [`${metres(r50Metres)} holds half: ${[describeParts(parts), ...more].join(', ')}${share}`] }],
  };
}

function describeParts(parts: RadiusParts): string {
  const named = (Object.entries(parts) as [keyof RadiusParts, number][]).filter(([, value]) => value >= SHOWN_METRES);
  return named.map(([part, value]) => `${PARTS[part]} ${metres(value)}`).join(', ');
}

function at(latitude: number, longitude: number): string {
  return `${latitude.toFixed(7)}, ${longitude.toFixed(7)}`;
}

/** Small distances to a decimetre. */
function metres(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} m`;
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${metres(Math.abs(value))}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
