// Explains the answer to a request for a position, given by its body: as an object and as text, for people who support
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
import { readRegularFile } from '../../config/regular_file.ts';
import { wantsOf } from '../../protocol/answers/position.ts';
import { explainPosition } from '../../tasks/explain_position.ts';
import { parsePosition } from '../../tasks/locate.ts';
import type { Explained } from './with_answerer.ts';
import { ABSENT, FALLBACK_RESULTS, LEFT_OUT, PARTS, STRATEGIES, TAKEN } from './words.ts';

/** Smaller parts of a radius are not shown. */
const SHOWN_METRES = 0.05;

/** The lines of an explanation. */
export function describePosition(explanation: Explanation): string {
  const { sent, stations, building, map, estimates, absent, fallbacks, track, answer, stages } = explanation;
  const lines = [
    ...describeSent(sent),
    ...section('Stations', stations.flatMap(describeStation)),
    ...section('Building', building === undefined ? [] : [describeBuilding(building)]),
    ...section('Map', map === undefined ? [] : [describeMap(map)]),
    ...section('Estimates', [
      ...estimates.flatMap(describeEstimate),
      ...absent
        .filter(({ why }) => why !== 'notSent')
        .map(({ strategy, why }) => `${STRATEGIES[strategy]}: none, ${ABSENT[why]}`),
    ]),
    ...section(
      'Fallbacks',
      fallbacks.map(({ fallback, result }) => `${fallback}: ${FALLBACK_RESULTS[result]}`),
    ),
    ...section(
      'Track',
      track === undefined
        ? []
        : [`moved the position by ${metres(track.movedMetres)}, the radius times ${track.radiusFactor.toFixed(2)}`],
    ),
    ...(answer === undefined ? ['Answer: not found'] : describeAnswer(answer)),
    `Time: ${stages.map(({ stage, microseconds }) => `${stage} ${microseconds} µs`).join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map(line => `  ${line}`)];
}

function describeSent({ wifiAccessPoints, bluetoothBeacons, cellTowers, gps, leftOut, ignored, more }: Sent): string[] {
  return [
    `Sent: access points ${wifiAccessPoints}, beacons ${bluetoothBeacons}, cells ` +
      `${cellTowers}${gps === undefined ? '' : ', a fix'}`,
    ...(gps === 'leftOut' ? ['  gps is left out: it has no place on the globe, or is older than ten minutes'] : []),
    ...leftOut.map(({ list, entry, why }) => `  ${list}[${entry}] is left out: ${LEFT_OUT[why]}`),
    ...ignored.map(({ list, entry, member }) => `  ${list}[${entry}].${member} is not read: it is out of its range`),
    ...(more === undefined ? [] : [`  not all are named: ${JSON.stringify(more)}`]),
  ];
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

function describeAnswer({ latitude, longitude, radius, fallback }: ExplainedAnswer): string[] {
  const { metres: answered, r50Metres, parts, calibrationMetres, trackMetres, confidence, confidenceFactor } = radius;
  const by = fallback === undefined ? '' : ` by the fallback ${fallback}`;
  const more = [
    ...(calibrationMetres === 0 ? [] : [`calibration ${signed(calibrationMetres)}`]),
    ...(trackMetres === 0 ? [] : [`track ${signed(trackMetres)}`]),
  ];
  const share = confidence === 50 ? '' : `; times ${confidenceFactor.toFixed(2)} for ${confidence} %`;
  return [
    `Answer: ${at(latitude, longitude)}, radius ${answered} m${by}`,
    `  ${metres(r50Metres)} holds half: ${[describeParts(parts), ...more].join(', ')}${share}`,
  ];
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

const STDIN = '-';
/** As much as the service takes where nothing else is set. */
const BODY_BYTES_MAX = 8 * 1_048_576;

/**
 * @param file of the body, or `-` for standard input @param folder data folder @throws Error when it cannot be read, or
 * is no body of a position
 */
export async function explainBody(answerer: Answerer, file: string, folder: string): Promise<Explained> {
  const body = parsePosition(file === STDIN ? await readStdin() : readBody(file));
  // What a body wants by default is a matter of its key.
  const wants = wantsOf(body, { byDefault: {}, isCovered: true });
  const explained = explainPosition(answerer, { body, arrivalMs: Date.now(), wants, state: undefined });
  const explanation = await withSources(folder, explained.explanation);
  return { object: explanation, text: describePosition(explanation) };
}

function readBody(file: string): Buffer {
  try {
    return readRegularFile(file, BODY_BYTES_MAX);
  } catch (error) {
    throw new Error(`The file ${file} cannot be used: ${(error as Error).message}.`, { cause: error });
  }
}

/** @throws Error when there is more than a body may have */
async function readStdin(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new Error(`Standard input has more than ${BODY_BYTES_MAX} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
