// A thread that reads a layer over and over through its view, until it is told to stop. Every layer of the test says by
// its index, by its town and by its houses which one it is: the three must be of one layer, whatever happens meanwhile.
// Says when it has begun, and then by memory what it has seen.

import { parentPort, workerData } from 'node:worker_threads';
import { type LayerShareState, LayerShareView } from '../../../src/tables/places/layer_share.ts';
import { FIRST_HOUSE, TOWN } from '../../kits/places/numbered_houses.ts';

/** Words of the memory: stop, and then of each thread the batches and the last layer seen. */
export const STOP = 0;
export const WORDS_OF_THREAD = 2;

if (parentPort !== null) {
  const { state, memory, thread }: { state: LayerShareState; memory: Int32Array<SharedArrayBuffer>; thread: number } =
    workerData;
  const at = 1 + thread * WORDS_OF_THREAD;
  const view = new LayerShareView(state);
  parentPort.postMessage('begun');
  while (Atomics.load(memory, STOP) === 0) {
    const { extract } = view.layers();
    const number = extract!.sections.get('points')![0];
    const { reader } = extract!;
    for (let id = FIRST_HOUSE; id < FIRST_HOUSE + 50; id++) {
      const { names } = reader.place(reader.place(reader.place(id)!.parent)!.rows[0])!;
      if (names.name !== `Town ${number}`) throw new Error(`Layer ${number} has the town ${names.name}.`);
    }
    if (reader.meta.count !== TOWN + 1 + 50 + number)
      throw new Error(`Layer ${number} has ${reader.meta.count} places.`);
    view.release();
    Atomics.store(memory, at + 1, number);
    Atomics.add(memory, at, 1);
  }
  await view.close();
}
