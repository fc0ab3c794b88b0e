import { expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { searchLayers } from '../../../src/geocoding/search/search.ts';
import { SearchRecord } from '../../../src/geocoding/search/search_record.ts';
import { layerOf } from '../../kits/places/lines.ts';

test('parts of one thing that are close by are dropped as the same place', async () => {
  const layer = await layerOf(
    `
  vaduz  | boundary=administrative | Vaduz       | | 9490 | |
  west   | waterway=canal          | Binnenkanal | | 9490 | | vaduz
  middle | waterway=canal          | Binnenkanal | | 9490 | | vaduz
  far    | waterway=canal          | Binnenkanal | | 9490 | | vaduz
`,
    { middle: { latitude: 47.001 }, west: { latitude: 47.0 }, far: { latitude: 47.1 } },
  );
  const record = new SearchRecord();
  searchLayers([layer.index], freeTextQuestion('Binnenkanal'), record);
  const [{ results }] = record.layers();
  expect(results.map(({ latitude, record: { outcome } }) => [latitude, outcome])).toEqual([
    [47, 'answered'],
    [47.001, 'samePlace'],
    [47.1, 'answered'],
  ]);
  await layer.close();
});

test('a place on a street whose name says no more than its surroundings is not named', async () => {
  const layer = await layerOf(`
  vaduz  | boundary=administrative | Vaduz         | | 9490 | |
  aule   | highway=residential     | Äulestrasse   | | 9490 | | vaduz
  castle | historic=castle         | Schloss Vaduz | | 9490 | aule |
`);
  const record = new SearchRecord();
  searchLayers([layer.index], freeTextQuestion('Vaduz'), record);
  const [{ results }] = record.layers();
  const terms = Object.fromEntries(
    results.map(({ id, record: each }) => [layer.index.layer.place(id)!.names.name, each.terms]),
  );
  expect(terms).toMatchObject({ Vaduz: { notNamed: 0, unsaid: 0 }, 'Schloss Vaduz': { notNamed: 0.1 } });
  expect(terms['Schloss Vaduz'].unsaid).toBeGreaterThan(0.1);
  await layer.close();
});

test('a layer that cannot come near the best is noted as left out', async () => {
  const near = await layerOf('vaduz | boundary=administrative | Vaduz | | 9490 | |');
  const far = await layerOf('paris | boundary=administrative | Paris | | 75000 | |');
  const record = new SearchRecord();
  searchLayers([near.index, far.index], freeTextQuestion('Vaduz'), record);
  expect(record.stages.map(({ microseconds: _, ...stage }) => stage)).toEqual([
    { stage: 'read', layer: undefined, rated: 0, isAnswered: false, isSkipped: false },
    { stage: 'asWritten', layer: 0, rated: 1, isAnswered: true, isSkipped: false },
    { stage: 'asWritten', layer: 1, rated: 0, isAnswered: false, isSkipped: true },
  ]);
  await near.close();
  await far.close();
});
