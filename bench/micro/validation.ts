// What does it cost to read and check a body? This measures parsing its bytes, the scan of the core that also writes
// the observations, and checking the structure by the compiled schema and by hand.

import { parseBody } from '../../src/protocol/requests/body.ts';
import { PositionParser } from '../../src/protocol/requests/position_query.ts';
import { checkStructure } from '../../src/protocol/requests/schema.ts';
import { renderBody, scanAt } from '../requests.ts';
import type { World } from '../world.ts';
import type { MicroGroup } from './harness.ts';

const REQUESTS = 200;
/** A check takes nanoseconds, so each call checks all bodies this many times. */
const TURNS = 20;
const LISTS = ['cellTowers', 'wifiAccessPoints', 'bluetoothBeacons', 'sensors'];
const OBJECTS = ['gps', 'lastLocation', 'fallbacks'];

/** The bodies of the requests of `path`. */
export function validationGroup(world: World): MicroGroup {
  const bytes = Array.from({ length: REQUESTS }, (_, number) => Buffer.from(renderBody(scanAt(world, number))));
  const bodies = bytes.map(body => JSON.parse(body.toString()) as Record<string, unknown>);
  const parser = new PositionParser();
  return {
    title: 'Reading and checking one body',
    cases: [
      {
        name: 'JSON.parse',
        operations: REQUESTS,
        run: () => {
          let values = 0;
          for (const body of bytes) if (JSON.parse(body.toString()) !== null) values++;
          return values;
        },
      },
      {
        name: 'parseBody',
        operations: REQUESTS,
        run: () => {
          let values = 0;
          for (const body of bytes) if (parseBody(body) !== null) values++;
          return values;
        },
      },
      {
        name: 'scan by the core',
        operations: REQUESTS,
        run: () => {
          let observations = 0;
          for (const body of bytes) observations += parser.scan(body)!.observations;
          return observations;
        },
      },
      {
        name: 'structure by schema',
        operations: REQUESTS * TURNS,
        run: () => {
          for (let turn = 0; turn < TURNS; turn++) for (const body of bodies) checkStructure(body);
        },
      },
      {
        name: 'structure by hand',
        operations: REQUESTS * TURNS,
        run: () => {
          let sound = 0;
          for (let turn = 0; turn < TURNS; turn++) for (const body of bodies) if (isSound(body)) sound++;
          return sound;
        },
      },
    ],
  };
}

function isSound(body: Record<string, unknown>): boolean {
  for (const list of LISTS) if (body[list] != null && !Array.isArray(body[list])) return false;
  for (const object of OBJECTS)
    if (body[object] != null && (typeof body[object] !== 'object' || Array.isArray(body[object]))) return false;
  return body.state == null || typeof body.state === 'string';
}
