// A process of its own that loads access points: node load_child.ts FOLDER COUNT. Prints the error message, or nothing.

import { loadStations } from '../../../src/tables/stations/load.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { sortedRecords, wifiHex } from '../../kits/radio/sorted_records.ts';

const [folder, count] = process.argv.slice(2);
const stations = new Map(
  Array.from({ length: Number(count) }, (_, i) => [wifiHex(0x88f7c7000000 + i * 3), stationAt(50, 8, 35, 91)]),
);
try {
  await loadStations(folder, sortedRecords(8, stations), () => {});
} catch (error) {
  console.log((error as Error).message);
}
