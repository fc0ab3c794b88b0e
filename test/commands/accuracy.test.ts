import { expect, test } from 'vitest';
import { describeChosenConstants, describeMeasuredAccuracy } from '../../src/commands/accuracy.ts';

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

test('constants are a table of radio types and regions', () => {
  const noisy = { radio: 'lte', temperature: 1.3, levelSigmaDb: 6, missingCost: 3.5, tested: 1500 };
  const rows = [
    { ...noisy, latitude: null, longitude: null },
    { ...noisy, latitude: 50, longitude: 4 },
  ];
  expect(describeChosenConstants(rows)).toBe(
    [
      'radio  region  tested  temperature  levels dB  missing',
      'lte    any      1,500          1.3          6      3.5',
      'lte    50, 4    1,500          1.3          6      3.5',
      '',
    ].join('\n'),
  );
});
