import { expect, onTestFinished, test } from 'vitest';
import { measure } from '../../../../src/geo/line.ts';
import { StretchShapes } from '../../../../src/geocoding/import/roads/stretch_shapes.ts';
import { ScratchFiles } from '../../../../src/tables/environment/scratch_file.ts';
import { uniform } from '../../../kits/random.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

const near = () => ({ square: 0, x: 0, y: 0, point: 0, share: 0 });

test('stretches are measured as they were added, in memory and on disk, in any order', () => {
  const random = uniform(7);
  const scratch = new ScratchFiles(temporaryFolder());
  onTestFinished(() => scratch.close());
  // The memory holds two blocks of some twenty.
  for (const shapes of [new StretchShapes(undefined, 0), new StretchShapes(scratch, 8_192)]) {
    const stretches = Array.from({ length: 1_000 }, () =>
      Int32Array.from({ length: 2 * (1 + Math.floor(random() * 13)) }, () => Math.floor(random() * 1_000)),
    );
    // One that fills a block to its end.
    stretches[500] = Int32Array.from({ length: 1_024 }, (_, i) => i);
    const firsts = stretches.map(stretch => shapes.add(stretch));
    shapes.finish();
    for (let asked = 0; asked < 3_000; asked++) {
      const i = Math.floor(random() * stretches.length);
      const [x, y] = [random() * 1_000, random() * 1_000];
      const expected = near();
      measure(stretches[i], 0, stretches[i].length / 2 - 1, x, y, expected);
      const found = near();
      shapes.measure(firsts[i], firsts[i] + stretches[i].length / 2 - 1, x, y, found);
      expect(found.square).toBe(expected.square);
    }
    shapes.close();
  }
});
