import { expect, test } from 'vitest';
import { describeMeasuredAccuracy } from '../../src/commands/accuracy.ts';

test('what was measured is a table of radio types, countries and months', () => {
  const figures = { tested: 1234, median: 21.25, p95: 140, insideShare: 0.5, inside68Share: 0.681, inside95Share: 1 };
  const rows = [
    { radio: 'wifi', country: 'any', month: 'any', ...figures },
    { radio: 'wifi', country: '', month: '2025-06', ...figures },
  ];
  expect(describeMeasuredAccuracy(rows)).toBe(
    [
      'radio  country  month    tested  median m  p95 m  inside   in 68    in 95',
      'wifi   any      any       1,234      21.3    140  50.0 %  68.1 %  100.0 %',
      'wifi   -        2025-06   1,234      21.3    140  50.0 %  68.1 %  100.0 %',
      '',
    ].join('\n'),
  );
});
