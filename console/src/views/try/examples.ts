// Requests for a position to begin with, one for each kind of input. They are about the demo town of a new data folder,
// where nothing is real, and about a place in Vaduz.

interface Example {
  id: string;
  title: string;
  body: object;
}

const NEAR = [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
  { macAddress: '02:00:5e:00:00:e7', signalStrength: -58 },
];
const CELL = { radioType: 'lte', mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1 };

/** The examples, the commonest first. */
export const EXAMPLES: readonly Example[] = [
  { id: 'wifi', title: 'Access points', body: { wifiAccessPoints: NEAR } },
  {
    id: 'cells',
    title: 'Cells',
    body: {
      cellTowers: [
        { ...CELL, cellId: 256_001, signalStrength: -88 },
        { ...CELL, cellId: 256_002, signalStrength: -97 },
      ],
    },
  },
  {
    id: 'beacons',
    title: 'Beacons',
    body: {
      bluetoothBeacons: [
        { macAddress: '00:00:5e:00:53:01', signalStrength: -62 },
        { macAddress: '00:00:5e:00:53:02', signalStrength: -70 },
      ],
    },
  },
  {
    id: 'gps',
    title: 'A fix, with town and address',
    body: { gps: { latitude: 47.141, longitude: 9.521, accuracy: 12, age: 3 }, geoname: 1, address: 1 },
  },
  {
    id: 'mixed',
    title: 'All together, at 95 %',
    body: {
      wifiAccessPoints: NEAR,
      cellTowers: [{ ...CELL, cellId: 256_001, signalStrength: -88, timingAdvance: 2 }],
      confidence: 95,
    },
  },
  {
    id: 'refused',
    title: 'What is left out, and why',
    body: {
      wifiAccessPoints: [
        ...NEAR,
        { macAddress: '02:00:5e:00:00:01', signalStrength: -60 },
        { macAddress: '02:00:5e:ff:ff:ff', signalStrength: -70 },
        { macAddress: '01:00:5e:00:00:d5', signalStrength: -65 },
        { macAddress: '02:00:5e:00:00:d5', signalStrength: -55, ssid: 'home_nomap' },
      ],
    },
  },
  {
    id: 'fallback',
    title: 'An unknown cell',
    body: { cellTowers: [{ ...CELL, cellId: 256_010 }], fallbacks: { all: 1 } },
  },
];

/** The example that stands in the editor at first. */
export const FIRST_EXAMPLE = EXAMPLES[0];

/** A body as it stands in the editor. */
export function textOf(body: object): string {
  return JSON.stringify(body, null, 2);
}
