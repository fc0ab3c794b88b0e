// Explanations over the public address, of the answers to the corpus: they fit their schema, and whoever reads one
// learns nothing of a station that has no part in the answer.

import { beforeAll, expect, test } from 'vitest';
import type { Answerer } from '../../../src/answer/answerer.ts';
import type { ExplainedStation, Explanation } from '../../../src/answer/explain/explanation.ts';
import { withAnswerer } from '../../../src/commands/explain/with_answerer.ts';
import { explanationText } from '../../../src/protocol/answers/explanation.ts';
import type { PositionBody } from '../../../src/protocol/requests/schema.ts';
import { explainPosition } from '../../../src/tasks/explain_position.ts';
import { positionBodies } from '../../corpus/position_bodies.ts';
import { buildWorld } from '../../corpus/world.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';
import { committedDocument } from '../openapi/committed_document.ts';
import { Conformity } from '../openapi/conformity.ts';

const PATIENCE_MS = 300_000;
const NOON = Date.UTC(2026, 2, 1, 12);
/** What the request itself says of a station. */
const SENT = ['list', 'entry', 'station', 'code', 'signalDbm', 'ageSeconds'];

interface Answered {
  body: PositionBody;
  full: Explanation;
  text: string;
}

let folder: string;
let answered: Answered[];

beforeAll(async () => {
  ({ folder } = await buildWorld(folderOfFile()));
  answered = await withAnswerer(folder, async answerer => [...positionBodies()].map(body => ask(answerer, body)));
  answered = answered.filter(({ full }) => full.answer !== undefined);
}, PATIENCE_MS);

function ask(answerer: Answerer, body: PositionBody): Answered {
  const { explanation } = explainPosition(answerer, { body, arrivalMs: NOON, wants: 0, asker: 0, state: undefined });
  return { body, full: explanation, text: explanationText(explanation) };
}

test('every explanation fits its schema', () => {
  const conformity = new Conformity(committedDocument());
  expect(answered.length).toBeGreaterThan(2_000);
  expect(
    answered.filter(({ text }) => !conformity.fits('Explanation', JSON.parse(text))).map(({ text }) => text),
  ).toEqual([]);
});

test('there is no position in it, and no time', () => {
  for (const { text } of answered)
    expect(text).not.toMatch(/latitude|longitude|covariance|lastSeen|samples|microseconds/);
});

test('of a station that has no part in the answer it says what was sent, whatever is known of it', () => {
  let known = 0;
  for (const { full, text } of answered) {
    const joined = full.estimates.filter(estimate => estimate.joined).map(({ strategy }) => strategy);
    for (const [i, station] of (JSON.parse(text).stations as ExplainedStation[]).entries()) {
      const { strategy, known: record } = full.stations[i];
      if (strategy !== undefined && joined.includes(strategy)) continue;
      expect(Object.keys(station).filter(name => !SENT.includes(name))).toEqual(['taken']);
      expect(station.taken).toBe('notUsed');
      if (record !== undefined) known++;
    }
  }
  expect(known).toBeGreaterThan(500);
});

test(
  'it is the same as if a station that has no part in the answer were not known, where the answer is',
  async () => {
    let same = 0;
    await withAnswerer(folder, async answerer => {
      for (const { body, full } of answered) {
        const { stations, estimates } = full;
        const part = estimates.filter(({ joined }) => joined).map(({ strategy }) => strategy);
        const outside = stations.filter(
          ({ list, strategy, known }) =>
            list === 'wifiAccessPoints' && known !== undefined && !(strategy && part.includes(strategy)),
        );
        for (const { entry } of outside.slice(0, 3)) {
          const [before, after] = [ask(answerer, body), ask(answerer, withUnknown(body, entry))];
          if (JSON.stringify(before.full.answer) !== JSON.stringify(after.full.answer)) continue;
          expect(withoutName(after.text, entry)).toEqual(withoutName(before.text, entry));
          same++;
        }
      }
    });
    expect(same).toBeGreaterThan(300);
  },
  PATIENCE_MS,
);

/** The body with another access point in the place of one, which nobody knows. */
function withUnknown(body: PositionBody, entry: number): PositionBody {
  const wifiAccessPoints = body.wifiAccessPoints!.map((each, i) =>
    i === entry ? { ...(each as object), macAddress: '0a:12:34:56:78:9a' } : each,
  );
  return { ...body, wifiAccessPoints };
}

function withoutName(text: string, entry: number): object {
  const { stations, ...rest } = JSON.parse(text) as Explanation;
  return {
    ...rest,
    stations: stations.map(station =>
      station.list === 'wifiAccessPoints' && station.entry === entry ? { ...station, station: '' } : station,
    ),
  };
}
