import { expect, test } from 'vitest';
import { fingerprintReadings } from '../../../src/indoor/intake/fingerprint_readings.ts';
import type { ReportDraft } from '../../../src/intake/draft.ts';
import { screenReport } from '../../../src/intake/screen.ts';
import { Tally } from '../../../src/intake/tally.ts';

const UUID = '12345678-1234-1234-1234-123456789abc';

/** What a report of these entries says, by radio. */
function readingsOf(draft: Partial<ReportDraft>): [number, number][] {
  const origin = { contributor: 0, isTrusted: true, track: 0, receivedMs: 1_700_000_000_000 };
  const report = screenReport({ latitude: 50, longitude: 4, ...draft }, origin, new Tally())!;
  return fingerprintReadings(report.observations).map(({ radio, levelDbm }) => [radio, levelDbm]);
}

const heard = (macAddress: string, signalStrength?: number, age?: number) => ({ macAddress, signalStrength, age });

test('the networks of an access point are one radio of their mean level', () => {
  const wifiAccessPoints = [
    heard('02:00:00:00:00:01', -50),
    heard('06:00:00:00:00:01', -60),
    heard('02:00:00:00:00:02', -70),
  ];
  expect(readingsOf({ wifiAccessPoints })).toEqual([
    [1, -55],
    [2, -70],
  ]);
});

test('a radio is as old as the youngest of its readings, and without a level it is none', () => {
  const wifiAccessPoints = [
    heard('02:00:00:00:00:01'),
    heard('02:00:00:00:00:02', -50, 3_000),
    heard('06:00:00:00:00:02', -50, 700),
    heard('0a:00:00:00:00:02', -50),
    heard('02:00:00:00:00:03', -50, 20_000),
    heard('02:00:00:00:00:04', -50),
  ];
  const origin = { contributor: 0, isTrusted: true, track: 0, receivedMs: 1_700_000_000_000 };
  const { observations } = screenReport({ latitude: 50, longitude: 4, wifiAccessPoints }, origin, new Tally())!;
  expect(fingerprintReadings(observations).map(({ radio, ageMs }) => [radio, ageMs])).toEqual([
    [2, 700],
    [3, 20_000],
    [4, Number.NaN],
  ]);
});

test('an iBeacon with an address is two radios, as in a request, and cells are none', () => {
  const iBeacon = { macAddress: '02:00:00:00:00:09', uuid: UUID, major: 1, minor: 2, signalStrength: -70 };
  const cellTowers = [
    {
      radioType: 'lte',
      mobileCountryCode: 206,
      mobileNetworkCode: 1,
      locationAreaCode: 2_124,
      cellId: 102_764_173,
      signalStrength: -78,
      serving: 1,
    },
  ];
  const found = readingsOf({ bluetoothBeacons: [iBeacon, heard('02:00:00:00:00:08', -60)], cellTowers });
  expect(found.map(([, level]) => level)).toEqual([-70, -70, -60]);
  expect([found[0][0] >= 2 ** 52, found[1][0], found[2][0]]).toEqual([
    true,
    2 ** 48 + 0x020000000009,
    2 ** 48 + 0x020000000008,
  ]);
  expect(readingsOf({ cellTowers })).toEqual([]);
});
