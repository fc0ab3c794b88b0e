import { expect, test } from 'vitest';
import type { Answer } from '../../../lab/evaluation/accuracy.ts';
import type { Scan } from '../../../lab/evaluation/scan.ts';
import { untilVisible } from '../../../lab/evaluation/visible.ts';

/** Waits for one witness whose answer depends on the time; resolves with the milliseconds waited. */
async function waited(answerAt: (now: number) => Answer | undefined): Promise<number> {
  let now = 0;
  const clock = {
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
    },
  };
  await untilVisible(async () => answerAt(now), [{} as Scan], clock);
  return now;
}

const PLACE = { latitude: 50, longitude: 4, accuracyMetres: 10 };

test('five seconds are waited even for an answer that is there at once', async () => {
  expect(await waited(() => PLACE)).toBe(5000);
});

test('an answer must rest for two seconds', async () => {
  expect(await waited(now => (now < 20_000 ? undefined : PLACE))).toBe(22_000);
  expect(await waited(now => ({ ...PLACE, accuracyMetres: Math.max(10, 100 - Math.floor(now / 1000)) }))).toBe(92_000);
});

test('after ten minutes it gives up', async () => {
  await expect(waited(() => undefined)).rejects.toThrow('has not learned them: none of them is answered.');
  await expect(waited(now => ({ ...PLACE, accuracyMetres: now }))).rejects.toThrow(
    'has not learned them: its answers still change.',
  );
});
