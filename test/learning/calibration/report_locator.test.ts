import { expect, test } from 'vitest';
import { readItem } from '../../../src/intake/geosubmit.ts';
import { screenReport } from '../../../src/intake/screen.ts';
import { Tally } from '../../../src/intake/tally.ts';
import { ReportLocator } from '../../../src/learning/calibration/report_locator.ts';
import { StoredObservations } from '../../../src/radio/query/stored.ts';
import type { StationBefore } from '../../../src/tables/calibration/tracks.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { moved } from '../../kits/radio/ground.ts';
import { HOME } from '../../kits/radio/reports.ts';
import { recordOf } from '../../kits/radio/stations.ts';

const ORIGIN = { contributor: 1, isTrusted: true, track: 0, receivedMs: Date.parse('2026-01-05T12:00:00Z') };
const UUID = '01020304-0506-0708-090a-0b0c0d0e0f10';

/** Stored observations of beacons, the nearest first: as iBeacons, by address, or both. */
function heard(identities: (n: number) => object): StoredObservations {
  const bluetoothBeacons = [0, 1, 2].map(n => ({ ...identities(n), signalStrength: -60 - 5 * n, age: 100 * n }));
  const draft = readItem({ position: { latitude: HOME[0], longitude: HOME[1], accuracy: 5 }, bluetoothBeacons });
  return new StoredObservations(screenReport(draft, ORIGIN, new Tally())!.observations);
}

test('an iBeacon that is stored under both of its identities counts once, as in a request', () => {
  const locator = new ReportLocator();
  const known: StationBefore[] = [0, 1, 2].map(n => ({
    record: recordOf({ ...stationAt(...moved(HOME, 12 * n, 5 * n * n), 8, 20), samples: 40 }),
    learned: undefined,
  }));
  const iBeacon = (n: number) => ({ uuid: UUID, major: 1, minor: n });
  const address = (n: number) => ({ macAddress: `00:00:5e:00:53:0${n}` });
  const once = heard(iBeacon);
  const twice = heard(n => ({ ...iBeacon(n), ...address(n) }));
  expect([once.count, twice.count]).toEqual([3, 6]);
  const [expected] = locator.locate(once, known);
  expect(expected.estimate.used).toBe(3);
  expect(
    locator.locate(
      twice,
      known.flatMap(each => [each, each]),
    ),
  ).toEqual([expected]);
  expect(locator.locate(heard(address), known)[0].radii).toEqual(expected.radii);
});

test('beacons that share one identity and have several addresses are one station', () => {
  const record = recordOf({ ...stationAt(...HOME, 8, 20), samples: 40 });
  const stored = heard(n => ({ uuid: UUID, major: 1, minor: 1, macAddress: `00:00:5e:00:53:0${n}` }));
  expect(stored.count).toBe(4);
  const known = Array.from({ length: 4 }, () => ({ record, learned: undefined }));
  expect(new ReportLocator().locate(stored, known)[0].estimate.used).toBe(1);
});
