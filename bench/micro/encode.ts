// What does it cost to hand a request to another thread? The service reads it, checks it against the ranges and writes
// it into shared memory as fixed-size structs, all in one pass. The alternatives copy objects and check nothing.

import { readQuery } from '../../src/protocol/requests/position_query.ts';
import type { PositionBody } from '../../src/protocol/requests/schema.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../src/radio/query/writer.ts';
import { renderBody, scanAt } from '../requests.ts';
import type { World } from '../world.ts';
import type { MicroGroup } from './harness.ts';

const REQUESTS = 200;
/** Any time will do; ages and timestamps count from it. */
export const NOON_MILLISECONDS = 1_900_000_000_000;

/** The requests are parsed already, so only the hand-over is measured. */
export function encodeGroup(world: World): MicroGroup {
  const bodies = Array.from(
    { length: REQUESTS },
    (_, number) => JSON.parse(renderBody(scanAt(world, number))) as PositionBody,
  );
  const writer = new QueryWriter(new QueryMemory(new SharedArrayBuffer(queryBytes(64))));
  return {
    title: 'Handing over one request',
    cases: [
      {
        name: 'structs in shared memory',
        operations: REQUESTS,
        run: () => {
          for (const body of bodies) readQuery(body, NOON_MILLISECONDS, writer, 0);
          return writer.observations;
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
          for (const body of bodies) cells += structuredClone(body).cellTowers!.length;
          return cells;
        },
      },
    ],
  };
}
