// Asks a service as devices do that it follows: the scans of a track in the order of their time, each with the state of
// the answer before.

import type { Tally } from './accuracy.ts';
import { CONNECTIONS, type ServiceClient } from './client.ts';
import { mappedInOrder } from './in_order.ts';
import type { Scan } from './scan.ts';

/** Longest id of a device. */
const ID_CHARACTERS = 20;

/** Locates the scans that have a time. @param tally of the answers, for 50 % of the truths */
export async function follow(
  scans: AsyncIterable<Scan>,
  client: ServiceClient,
  tally: Tally,
  onProgress: (text: string) => void,
): Promise<void> {
  let followed = 0;
  for await (const track of mappedInOrder(tracksOf(scans), CONNECTIONS, scansOfTrack =>
    followTrack(scansOfTrack, client),
  )) {
    for (const { scan, answer } of track) tally.add(scan, answer);
    onProgress(`${++followed} tracks followed`);
  }
}

async function followTrack(scans: readonly Scan[], client: ServiceClient) {
  const answered: { scan: Scan; answer: Awaited<ReturnType<ServiceClient['follow']>> }[] = [];
  let state: string | undefined;
  for (const scan of scans) {
    const answer = await client.follow(scan, scan.track.slice(-ID_CHARACTERS), state);
    state = answer?.state ?? state;
    answered.push({ scan, answer });
  }
  return answered;
}

/** Each track in the order of its time. */
async function* tracksOf(scans: AsyncIterable<Scan>): AsyncGenerator<Scan[]> {
  const tracks = new Map<string, Scan[]>();
  for await (const scan of scans) {
    if (scan.timeMs === undefined) continue;
    const track = tracks.get(scan.track);
    if (track === undefined) tracks.set(scan.track, [scan]);
    else track.push(scan);
  }
  for (const track of tracks.values()) yield track.sort((a, b) => a.timeMs! - b.timeMs!);
}
