// Schemas of explanations, as the public address gives them (explanation.ts).

import { FALLBACKS } from '../../radio/fallbacks.ts';
import { CONFIDENCE } from '../../radio/ranges.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';

const LIST: Schema = {
  enum: ['wifiAccessPoints', 'bluetoothBeacons', 'cellTowers'],
  description: 'A list of the body.',
};
const ENTRY: Schema = { type: 'integer', minimum: 0, description: 'Place in the list, from 0.' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const STRATEGY: Schema = {
  enum: ['gps', 'bluetooth', 'wifi', 'cells', 'map', 'fingerprints', 'fallback'],
  description:
    'What made the estimate: the fix; beacons; access points; what is known of cells; the radio map of a cell; ' +
    'the fingerprints of a building; a fallback.',
};

function metres(description: string): Schema {
  return { type: 'number', minimum: 0, description: `Metres: ${description}` };
}

function share(description: string): Schema {
  return { type: 'number', minimum: -1, maximum: 2, description };
}

const WHY_LEFT_OUT = [
  'noObject',
  'noAddress',
  'groupAddress',
  'optedOut',
  'movingHotspot',
  'noIdentity',
  'noNetwork',
  'noArea',
  'noCell',
];

/** Descriptions of the parts of a radius. */
const PARTS: Readonly<Record<string, string>> = {
  fix: 'accuracy of the fix',
  movement: 'how far the device may have moved since the fix',
  contradiction: 'how far from the fix several stations that agree put the device',
  levels: 'spread of the levels',
  geometry: 'how the stations stand around the device',
  stations: 'how well the places of the stations are known',
  coverage: 'where the cells are heard',
  unseen: 'what few observations have not shown of a cell',
  likelihood: 'the places of a map that are likely',
  misfit: 'what the likeliest place leaves unexplained',
  blur: 'what one place differs by from time to time',
  newRoad: 'how likely it is that nobody has been there',
  guess: 'typical error of the guess',
};

/** Schemas by name. */
export const EXPLANATIONS: { readonly [name: string]: Schema } = {
  Explanation: closedObject(
    {
      sent: ref('ExplainedBody'),
      stations: { type: 'array', items: ref('ExplainedStation'), description: 'Entries that are not left out.' },
      'map?': closedObject(
        {
          station: { type: 'string', description: 'The cell.' },
          points: { ...COUNT, description: 'Reference points that were compared.' },
          observations: { ...COUNT, description: 'Observations behind the map.' },
          cells: { ...COUNT, description: 'Cells that were compared at each point.' },
          isFollowed: { type: 'boolean', description: 'Where the device was before takes part.' },
        },
        'The radio map of the serving cell.',
      ),
      estimates: {
        type: 'array',
        items: ref('ExplainedEstimate'),
        description: 'Those that are joined in the answer.',
      },
      fallbacks: {
        type: 'array',
        items: closedObject({
          fallback: { enum: FALLBACKS.map(({ name }) => name) },
          result: {
            enum: ['noGuess', 'abroad', 'contradicted', 'answered'],
            description:
              'No cell resembles those sent; the guess lies outside of the country of the network; it is ' +
              'often wrong for the known cells around; it is the answer.',
          },
        }),
        description: 'Fallbacks that were tried, in their order.',
      },
      'track?': closedObject(
        {
          movedMetres: metres('by which the track of the device moved the position.'),
          radiusFactor: { type: 'number', minimum: 0 },
        },
        'What the track of a followed device made of the position.',
      ),
      radius: ref('ExplainedRadius'),
    },
    'How an answer came about, for keys that the operator has made with `--explain`. Metres, seconds, dBm. No ' +
      'station has a position.',
  ),
  ExplainedBody: closedObject(
    {
      wifiAccessPoints: COUNT,
      bluetoothBeacons: COUNT,
      cellTowers: COUNT,
      'gps?': {
        enum: ['read', 'leftOut'],
        description: 'Whether the fix counts; a fix that is none, or too old, does not. Absent where none was sent.',
      },
      leftOut: {
        type: 'array',
        items: closedObject({ list: LIST, entry: ENTRY, why: { enum: WHY_LEFT_OUT } }),
        description: 'Entries that are left out, at most 1,000.',
      },
      ignored: {
        type: 'array',
        items: closedObject({ list: LIST, entry: ENTRY, member: { type: 'string' } }),
        description: 'Members that are out of their range and count as not sent, at most 1,000.',
      },
      'more?': closedObject(
        { leftOut: COUNT, ignored: COUNT, stations: COUNT },
        'How many more of each there are, where not all are named.',
      ),
    },
    'What the body holds: entries of each list.',
  ),
  ExplainedStation: closedObject(
    {
      list: LIST,
      entry: ENTRY,
      'station?': {
        type: 'string',
        description: 'Address, UUID/major/minor, or radio-country-network-area-cell; absent for a cell without an id.',
      },
      'code?': {
        type: 'integer',
        minimum: 0,
        description: 'Scrambling code or physical cell id of a cell without an id.',
      },
      'signalDbm?': { type: 'integer', description: 'dBm, as sent.' },
      'ageSeconds?': { type: 'number', minimum: 0, description: 'Age of the reading, as sent.' },
      taken: {
        enum: ['used', 'outlier', 'compared', 'notUsed'],
        description:
          'The estimate rests on it; its level fits no place that the others leave; it was compared with what ' +
          'a map says is heard there; it has no part in the answer, for whatever reason.',
      },
      'strategy?': STRATEGY,
      'weight?': share('In the estimate; those of an estimate add up to 1.'),
      'distanceMetres?': metres('from the position of the estimate.'),
      'expectedMetres?': metres('the distance that its level stands for.'),
      'r50Metres?': metres('half of its observations lie within.'),
    },
    'A station that the device heard.',
  ),
  ExplainedEstimate: closedObject(
    {
      strategy: STRATEGY,
      radiusMetres: metres('radius that holds half, after calibration.'),
      uncalibratedMetres: metres('the same before: the root of the sum of the squares of the parts.'),
      parts: ref('RadiusParts'),
      calibration: { type: 'number', minimum: 0, description: 'Factor by which tests have changed the radius.' },
      stations: { ...COUNT, description: 'Stations it rests on.' },
      evidence: {
        type: 'number',
        minimum: 0,
        description: 'How many errors it would take for the device to be elsewhere.',
      },
      weight: share('In the answer, the mean of both axes; those of all estimates add up to 1.'),
      distanceMetres: metres('from the answer.'),
    },
    'An estimate that is part of the answer.',
  ),
  ExplainedRadius: closedObject(
    {
      metres: metres('the radius as it is answered, `accuracy`.'),
      r50Metres: metres(
        'radius that holds half: the root of the sum of the squares of the parts, plus calibration and track.',
      ),
      parts: ref('RadiusParts'),
      calibrationMetres: {
        type: 'number',
        description: 'Metres by which tests widen the radius; below 0 they narrow it.',
      },
      trackMetres: {
        type: 'number',
        description: 'Metres by which the track of the device widens it; below 0 it narrows it.',
      },
      confidence: numberIn(CONFIDENCE, 'Percent that `metres` holds.'),
      confidenceFactor: { type: 'number', minimum: 1, description: 'From `r50Metres` to `metres`.' },
    },
    'What the radius is made of.',
  ),
  RadiusParts: closedObject(
    Object.fromEntries(Object.entries(PARTS).map(([part, description]) => [`${part}?`, metres(`${description}.`)])),
    'Parts of a radius. Their squares add up.',
  ),
};
