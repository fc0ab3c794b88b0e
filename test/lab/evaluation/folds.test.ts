import { expect, test } from 'vitest';
import { foldOf } from '../../../lab/evaluation/folds.ts';

// Worked out with Python: int(hashlib.sha1(key.encode()).hexdigest()[0:8], 16) % 5
test('tracks fall into the folds of the published split', () => {
  const tracks = {
    'be:ixelle_1.txt': 4,
    'jd2gR:32': 2,
    'sp2g:0': 3,
    'OnePlus3T:12576006': 3,
    '5dda14979191710006b5720e': 4,
    Überland: 3,
    '0': 2,
    '1': 2,
  };
  expect(Object.fromEntries(Object.keys(tracks).map(track => [track, foldOf(track)]))).toEqual(tracks);
});
