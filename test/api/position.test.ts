// A body is scanned when it has arrived, and its query is written after admission, which may wait for the writer. Other
// bodies are scanned meanwhile.

import { afterEach, expect, test } from 'vitest';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';

let served: ServedParts;
afterEach(() => served.close());

const GROUPS = 12;
const POINTS_EACH = 4;
/** Access points of the demo town: another part of it in each group. */
const bodies = Array.from({ length: GROUPS }, (_, group) => ({
  wifiAccessPoints: Array.from({ length: POINTS_EACH }, (_, i) => ({
    macAddress: (0x02005e000001 + group * 16 + i).toString(16).padStart(12, '0'),
    signalStrength: -60 - i,
  })),
}));

test.each(['inline', 'pool'] as const)(
  'requests that wait for admission get the answers to their own bodies, %s',
  async mode => {
    served = await serveParts({ mode, workers: 1, ringBytes: 65_536 });
    await served.accountWriter.update(1, { devices: 100 });
    const ask = async (group: number, id: string): Promise<unknown> => {
      const { status, json } = await served.post(bodies[group], '/', {
        path: `/?key=${encodeURIComponent(KEY)}&id=${id}`,
      });
      expect(status).toBe(200);
      return (json as { location: unknown }).location;
    };
    const alone: unknown[] = [];
    for (let group = 0; group < GROUPS; group++) alone.push(await ask(group, 'known'));
    expect(new Set(alone.map(location => JSON.stringify(location))).size).toBe(GROUPS);
    // New devices wait until the writer has counted them, which it does here once all have arrived. The known device
    // does not wait.
    const { table } = served.accountWriter;
    const register = table.registerDevice.bind(table);
    const waiting = bodies.filter((_, group) => group % 3 !== 0).length;
    let arrived = 0;
    let release = (): void => {};
    const allArrived = new Promise<void>(resolve => {
      release = resolve;
    });
    table.registerDevice = async (...device) => {
      arrived++;
      if (arrived === waiting) release();
      await allArrived;
      return register(...device);
    };
    const together = await Promise.all(
      bodies.map((_, group) => ask(group, group % 3 === 0 ? 'known' : `new-${group}`)),
    );
    expect(together).toEqual(alone);
  },
);
