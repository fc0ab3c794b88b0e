// What does it cost to hand a request to another thread? Written into shared memory as fixed-size structs, against the ways that copy objects.

import { AGE_ABSENT, QueryMemory, QueryWriter, queryBytes } from '../../src/positioning/query.ts';
import { KIND_LTE } from '../../src/radio/kind.ts';
import { parseMac } from '../../src/radio/mac.ts';
import { CODE_ABSENT } from '../../wasm/layout.ts';
import { renderBody, sightingAt } from '../requests.ts';
import { COUNTRY_CODE, NETWORK_CODE, type World } from '../world.ts';
import type { MicroGroup } from './harness.ts';

const REQUESTS = 200;

interface Body {
  cellTowers: { locationAreaCode: number; cellId: number; primaryScramblingCode: number; signalStrength: number }[];
  wifiAccessPoints: { macAddress: string; signalStrength: number; channel: number }[];
}

/** Requests parsed already: only the hand-over is measured. */
export function encodeGroup(world: World): MicroGroup {
  const bodies = Array.from({ length: REQUESTS }, (_, number) => JSON.parse(renderBody(sightingAt(world, number))) as Body);
  const writer = new QueryWriter(new QueryMemory(new SharedArrayBuffer(queryBytes(64))));
  return {
    title: 'Handing over one request',
    cases: [
      {
        name: 'structs in shared memory',
        operations: REQUESTS,
        run: () => {
          let bytes = 0;
          for (const body of bodies) bytes += writeQuery(writer, body);
          return bytes;
        },
      },
      {
        name: 'JSON.stringify',
        operations: REQUESTS,
        run: () => {
          let characters = 0;
          for (const body of bodies) characters += JSON.stringify(body).length;
          return characters;
        },
      },
      {
        name: 'structuredClone',
        operations: REQUESTS,
        run: () => {
          let cells = 0;
          for (const body of bodies) cells += structuredClone(body).cellTowers.length;
          return cells;
        },
      },
    ],
  };
}

function writeQuery(writer: QueryWriter, body: Body): number {
  writer.begin(0);
  for (const seen of body.wifiAccessPoints) writer.addWifi(parseMac(seen.macAddress), seen.signalStrength, 0, AGE_ABSENT, seen.channel);
  for (const cell of body.cellTowers) {
    const code = cell.primaryScramblingCode ?? CODE_ABSENT;
    writer.addCell(KIND_LTE, COUNTRY_CODE, NETWORK_CODE, cell.locationAreaCode, cell.cellId, cell.signalStrength, code, AGE_ABSENT, -1, 0);
  }
  return writer.end();
}
