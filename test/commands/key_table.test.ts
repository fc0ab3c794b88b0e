import { expect, test } from 'vitest';
import { keyTable } from '../../src/commands/keys.ts';

test('keys stand in a table under their heads', () => {
  const keys = [
    { id: 1, name: 'demo', revoked: true },
    { id: 12, name: 'fl\u202e\n9', credits: 100_000, rate: 0.5, expires: '2099-12-31', revoked: false },
    { id: 13, credits: 0, expires: '2020-01-01', revoked: false },
  ];
  expect(keyTable(keys)).toBe(`\
id  name               credits  rate  expires     state
 1  demo             unlimited     -  -           revoked
12  fl\\u202e\\u000a9    100,000   0.5  2099-12-31  valid
13                           0     -  2020-01-01  expired
`);
  expect(keyTable([])).toBe('id  name  credits  rate  expires  state\n');
});
