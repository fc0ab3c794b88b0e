import { once } from 'node:events';
import { existsSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { buildLayer, currentLayer, removeReplacedLayers } from '../../../src/tables/places/generations.ts';
import {
  createLayerShare,
  LayerShareSource,
  type LayerShareState,
  LayerShareView,
} from '../../../src/tables/places/layer_share.ts';
import { TOWN, writeDrawnLayer } from '../../kits/places/numbered_houses.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { STOP, WORDS_OF_THREAD } from './layer_share_thread.ts';

function openView(state: LayerShareState): LayerShareView {
  const view = new LayerShareView(state);
  onTestFinished(() => view.close());
  return view;
}

/** Builds layer `n` as the live generation of a folder, without the one before. @returns its path */
async function buildNumber(folder: string, n: number): Promise<string> {
  await buildLayer(folder, path => writeDrawnLayer(path, 50 + n, `Town ${n}`, n));
  return currentLayer(folder)!;
}

test('a view has the layers that there are, and takes others when it is asked next', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  const view = openView(state);
  expect(view.layers()).toEqual({});
  share.replace({ world: await buildNumber(folder, 1) });
  const first = view.layers();
  expect(Object.keys(first)).toEqual(['world']);
  expect(view.layers()).toBe(first);
  share.replace({ extract: await buildNumber(folder, 2) });
  const second = view.layers();
  expect(second.world).toBe(first.world);
  expect(second.extract!.sections.get('points')![0]).toBe(2);
  expect(second.extract!.reader.place(TOWN)!.names.name).toBe('Town 2');
});

test('a view that is opened later has what was replaced before', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  share.replace({ extract: await buildNumber(folder, 1) });
  openView(state);
  share.replace({ extract: await buildNumber(folder, 2) });
  removeReplacedLayers(folder);
  expect(openView(state).layers().extract!.sections.get('points')![0]).toBe(2);
});

test('an index is empty when its layer is replaced, and stays where the layer is still open', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  share.replace({ world: await buildNumber(folder, 1) });
  const [one, other] = [openView(state), openView(state)];
  const points = [one, other].map(view => view.layers().world!.sections.get('points')!);
  share.replace({ world: await buildNumber(folder, 2) });
  expect(one.layers().world!.sections.get('points')![0]).toBe(2);
  expect(points.map(({ length }) => length)).toEqual([0, 3]);
});

test('a layer that cannot be used is not handed out', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  share.replace({ extract: await buildNumber(folder, 1) });
  const view = openView(state);
  const damaged = await buildNumber(folder, 2);
  truncateSync(join(damaged, 'index', 'data.mdb'), 9_000);
  expect(() => share.replace({ extract: damaged })).toThrow(
    /^The places in .* cannot be used: it has 9000 bytes where/,
  );
  rmSync(join(damaged, 'data.mdb'));
  expect(() => share.replace({ extract: damaged })).toThrow('it has no data file');
  expect(view.layers().extract!.sections.get('points')![0]).toBe(1);
});

test('a layer whose folder is gone is left out where there is a newer one, and an error where there is none', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  share.replace({ extract: await buildNumber(folder, 1) });
  const [late, lost] = [openView(state), openView(state)];
  share.replace({ extract: await buildNumber(folder, 2) });
  share.replace({ extract: await buildNumber(folder, 3) });
  removeReplacedLayers(folder);
  expect(late.layers().extract!.sections.get('points')![0]).toBe(3);
  rmSync(currentLayer(folder)!, { recursive: true });
  expect(() => lost.layers()).toThrow('it has no data file');
});

test('threads read on while layers are replaced and removed under them', async () => {
  const [state, folder] = [createLayerShare(), temporaryFolder()];
  const share = new LayerShareSource(state);
  const [threads, layers] = [3, 8];
  const memory = new Int32Array(new SharedArrayBuffer(4 * (1 + (threads + 1) * WORDS_OF_THREAD)));
  share.replace({ extract: await buildNumber(folder, 1) });
  const failures: string[] = [];
  const start = async (thread: number): Promise<Worker> => {
    const worker = new Worker(new URL('./layer_share_thread.ts', import.meta.url), {
      workerData: { state, memory, thread },
    });
    worker.on('error', error => failures.push((error as Error).message));
    await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: threads }, (_, thread) => start(thread)));
  for (let n = 2; n <= layers; n++) {
    const path = await buildNumber(folder, n);
    share.replace({ extract: path });
    removeReplacedLayers(folder);
    // One that starts later, as a replaced worker does.
    if (n === layers / 2) workers.push(await start(threads));
    // Every second layer is replaced before all have seen it.
    const hasAll = () => workers.every((_, thread) => memory[1 + thread * WORDS_OF_THREAD + 1] === n);
    while (n % 2 === 0 && failures.length === 0 && !hasAll()) await nextTurn();
  }
  Atomics.store(memory, STOP, 1);
  await Promise.all(workers.map(worker => once(worker, 'exit')));
  expect(failures).toEqual([]);
  expect(existsSync(join(folder, '1'))).toBe(false);
  for (let thread = 0; thread <= threads; thread++) expect(memory[1 + thread * WORDS_OF_THREAD]).toBeGreaterThan(0);
});
