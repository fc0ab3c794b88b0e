// Shares the layers of places between all threads of a process. The writer thread checks them and says where they are;
// every other thread opens them itself, and all have the same pages of their files. When an import has built a new
// layer, the writer thread hands that out, and each thread takes it at the beginning of its next batch. Until then the
// thread keeps the old layer, even if the folder is gone already, because an open file lives until it is closed.
//
// What there is lies in shared memory as text, behind two words: its length, and a count that is odd while the text is
// being written. So a thread learns by one load that there is something to take, and takes it without waiting, at its
// start or in the middle of its work. The old layer's files are gone when the last thread has taken the new one.

import { LayerReader } from './layer.ts';
import { checkIndex } from './layer_index.ts';

/** Layers by name, in no order of importance: the embedded gazetteer, and what was imported from extracts. */
export type LayerName = 'world' | 'extract';
const NAMES: readonly LayerName[] = ['world', 'extract'];

/** State that every thread gets at its start: the two words, and the text. */
export type LayerShareState = SharedArrayBuffer;

const COUNT = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
/** Two of the longest paths, of which JSON may make six letters of each; pages that are not used take no memory. */
const SHARE_BYTES = 65_536;

/** A layer as the writer thread hands it out. */
interface SharedLayer {
  /** Number of the layer, unique in this process. */
  n: number;
  /** Absolute path. */
  folder: string;
}
type SharedLayers = Readonly<Partial<Record<LayerName, SharedLayer>>>;

/** A layer that a thread has open. */
export interface OpenLayer {
  /** Number of the layer, unique in this process. */
  n: number;
  reader: LayerReader;
  /** Sections of the index by name, until the layer is closed. */
  sections: ReadonlyMap<string, Uint8Array>;
}

/**
 * The layers of one moment; one that was never built is absent. A layer that has not changed is the same object as
 * before.
 */
type OpenLayers = Readonly<Partial<Record<LayerName, OpenLayer>>>;

/** Made once by the main thread. */
export function createLayerShare(): LayerShareState {
  return new SharedArrayBuffer(SHARE_BYTES);
}

/** Hands the layers out, in the writer thread. No thread waits for it. */
export class LayerShareSource {
  private readonly state: LayerShareState;
  private layers: Partial<Record<LayerName, SharedLayer>> = {};
  private checked = 0;

  constructor(state: LayerShareState) {
    this.state = state;
  }

  /**
   * Checks layers and hands them out, replacing those of the same names.
   * @param folders absolute paths; undefined takes a layer back, as does one without places, and a name that is absent
   *   keeps what it has
   * @throws Error when one cannot be used; then nothing has changed
   */
  replace(folders: Partial<Record<LayerName, string | undefined>>): void {
    const layers = { ...this.layers };
    for (const name of NAMES) {
      const folder = folders[name];
      if (folder !== undefined && countUsable(folder) > 0) layers[name] = { n: ++this.checked, folder };
      else if (name in folders) delete layers[name];
    }
    this.layers = layers;
    writeShared(this.state, layers);
  }
}

/** Opens a layer once, to be sure that every thread can. @returns its places @throws Error when it cannot be used */
function countUsable(folder: string): number {
  const reader = new LayerReader(folder);
  void reader.close();
  checkIndex(folder);
  return reader.meta.count;
}

/** One thread's view of the layers. */
export class LayerShareView {
  private readonly state: LayerShareState;
  private readonly words: Int32Array;
  /** The count of what is opened. */
  private seen = 0;
  private opened: OpenLayers = {};

  /** Opens the layers as they are now. @throws Error when one cannot be used */
  constructor(state: LayerShareState) {
    this.state = state;
    this.words = new Int32Array(state, 0, HEAD_BYTES / 4);
    this.layers();
  }

  /**
   * The layers for the next batch: the same object as before, or another one when there is a new layer. That closes the
   * layers it replaces, so call it only between batches.
   * @throws Error when a new layer cannot be used
   */
  layers(): OpenLayers {
    if (Atomics.load(this.words, COUNT) !== this.seen) this.openShared();
    return this.opened;
  }

  /** Ends the read transactions of all layers. Call it before the thread waits. */
  release(): void {
    for (const layer of Object.values(this.opened)) layer.reader.release();
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.opened).map(({ reader }) => reader.close()));
  }

  private openShared(): void {
    for (;;) {
      const { count, layers } = readShared(this.state);
      this.seen = count;
      try {
        this.opened = this.openAll(layers);
        return;
      } catch (error) {
        // Its folder may be gone because there is a newer one by now.
        if (Atomics.load(this.words, COUNT) === count) throw error;
      }
    }
  }

  /** Opens new layers and closes those they replace. */
  private openAll(shared: SharedLayers): OpenLayers {
    const { opened } = this;
    const isKept = (name: LayerName): boolean => opened[name]?.n === shared[name]?.n;
    if (NAMES.every(isKept)) return opened;
    const fresh: Partial<Record<LayerName, OpenLayer>> = {};
    try {
      for (const name of NAMES) {
        const layer = shared[name];
        if (layer === undefined) continue;
        const kept = opened[name];
        fresh[name] = kept?.n === layer.n ? kept : openLayer(layer);
      }
    } catch (error) {
      closeLayers(fresh, opened);
      throw error;
    }
    closeLayers(opened, fresh);
    return fresh;
  }
}

function openLayer({ n, folder }: SharedLayer): OpenLayer {
  const reader = new LayerReader(folder);
  try {
    return { n, reader, sections: reader.sections };
  } catch (error) {
    void reader.close();
    throw error;
  }
}

/** Closes layers of one moment that are not among those of another. */
function closeLayers(layers: OpenLayers, except: OpenLayers): void {
  for (const name of NAMES) if (layers[name] !== except[name]) void layers[name]?.reader.close();
}

/** @throws Error when the paths are longer than any system has them; then nothing has changed */
function writeShared(state: LayerShareState, layers: SharedLayers): void {
  const text = Buffer.from(JSON.stringify(layers));
  if (text.length > SHARE_BYTES - HEAD_BYTES) throw new Error('The paths of the places are too long.');
  const words = new Int32Array(state, 0, HEAD_BYTES / 4);
  Atomics.add(words, COUNT, 1);
  new Uint8Array(state).set(text, HEAD_BYTES);
  Atomics.store(words, LENGTH, text.length);
  Atomics.add(words, COUNT, 1);
}

/** What there is, and its count; reads again what was being written meanwhile, which takes microseconds. */
function readShared(state: LayerShareState): { count: number; layers: SharedLayers } {
  const words = new Int32Array(state, 0, HEAD_BYTES / 4);
  for (;;) {
    const count = Atomics.load(words, COUNT);
    const text = Buffer.from(new Uint8Array(state, HEAD_BYTES, Atomics.load(words, LENGTH)));
    if (count % 2 === 0 && Atomics.load(words, COUNT) === count)
      return { count, layers: text.length === 0 ? {} : JSON.parse(text.toString()) };
  }
}
