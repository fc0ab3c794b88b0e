// A scan in a building, of which a test says what matters.

import type { IndoorScan } from '../../../lab/indoors/indoor_scan.ts';

/** At latitude 0 and longitude 0 of floor 0, where nothing is heard. */
export function drawnScan(changes: Partial<IndoorScan> = {}): IndoorScan {
  return {
    id: 'scan',
    track: 'track',
    device: 'device',
    timeMs: undefined,
    latitude: 0,
    longitude: 0,
    accuracyMetres: undefined,
    cellTowers: [],
    wifiAccessPoints: [],
    bluetoothBeacons: [],
    building: 'Hall',
    floor: 0,
    room: undefined,
    ...changes,
  };
}
