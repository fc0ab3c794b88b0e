// node bench/files_of_request.ts: which files of src run for one request? What a reader opens to follow it. V8 counts
// calls of functions; a file counts when one of its own functions was called, so files that only name constants or
// types do not. A second request of each kind is counted: the first one also opens tables.

import { Session } from 'node:inspector/promises';
import { Aggregator } from '../src/learning/aggregator.ts';
import { StationWriter } from '../src/tables/stations/writer.ts';
import { importDrawnExtract } from '../test/kits/places/extracts.ts';
import { KEY, serveParts } from '../test/kits/served_parts.ts';
import { headerOf, readArguments } from './command_line.ts';

readArguments(headerOf(import.meta.url), {});

const served = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 }, importDrawnExtract);
const stations = await StationWriter.open(served.folder, undefined);
const aggregator = new Aggregator(served.observations, stations, served.tally, { pay: async () => {} }, error =>
  console.error(error),
);

/** A position from three access points of the demo town. */
const locate = () =>
  served.post({
    wifiAccessPoints: [
      { macAddress: '02:00:5e:00:00:d3', signalStrength: -50 },
      { macAddress: '02:00:5e:00:00:d4', signalStrength: -60 },
      { macAddress: '02:00:5e:00:00:e7', signalStrength: -58 },
    ],
  });
/** A report of two access points that nobody has reported, up to their stations. */
const contribute = async (n: number) => {
  const wifiAccessPoints = [n, n + 1].map(last => ({ macAddress: `02:00:5e:01:00:0${last}`, signalStrength: -50 }));
  const answer = await served.post(
    {
      items: [{ timestamp: Date.now(), position: { latitude: 1.25, longitude: -2.5, accuracy: 10 }, wifiAccessPoints }],
    },
    '/v2/geosubmit',
  );
  aggregator.wake();
  await aggregator.catchUp(() => undefined);
  return answer;
};
const search = () => served.get(`/search?q=Hauptstrasse&key=${encodeURIComponent(KEY)}`);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
try {
  await count('POST / with three access points', locate);
  await count('a contribution until its station', contribute);
  await count('GET /search', search);
} finally {
  await aggregator.close();
  await stations.close();
  await served.close();
}

async function count(title: string, request: (n: number) => Promise<{ status: number }>): Promise<void> {
  await request(1);
  await session.post('Profiler.takePreciseCoverage');
  const { status } = await request(3);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  if (status !== 200) throw new Error(`${title} is answered ${status}.`);
  const files = result
    .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0))
    .flatMap(({ url }) => url.split('/src/').slice(1));
  console.log(`${title}: ${files.length} files\n  ${files.sort().join('\n  ')}\n`);
}
