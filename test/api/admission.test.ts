import { expect, test } from 'vitest';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { refuseStraying } from '../../src/api/admission.ts';
import type { RouteContext } from '../../src/api/exchange.ts';
import { ERRORS } from '../../src/protocol/errors.ts';

test('after too many strays a key may ask by all but access points and beacons', () => {
  const nowMs = Date.UTC(2026, 10, 26);
  const counters = new AccountCounters(allocateCounters());
  const ask = (account: number, body: unknown) => () =>
    refuseStraying({ counters } as RouteContext, account, nowMs, body);
  const radios = [{ wifiAccessPoints: [{}] }, { bluetoothBeacons: [{}] }, Buffer.from('{}')];
  for (const body of radios) expect(ask(7, body)).not.toThrow();
  counters.countStrays(7, 101, false, nowMs);
  for (const body of radios) expect(ask(7, body)).toThrow(ERRORS.strayLimitExceeded.message);
  for (const body of [undefined, {}, { cellTowers: [{}], wifiAccessPoints: [] }]) expect(ask(7, body)).not.toThrow();
  expect(ask(8, radios[0])).not.toThrow();
});
