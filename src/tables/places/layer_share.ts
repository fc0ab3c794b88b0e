// Shares the layers of places between all threads of a process. The writer thread checks them and says where they are;
// every other thread opens them itself, and all have the same pages of their files. When an import has built a new
// layer, the writer thread hands that out, and each thread takes it at the beginning of its next batch. Until then the
// thread keeps the old layer, even if the folder is gone already, because an open file lives until it is closed.
//
// A thread cannot be sent anything before it listens, so there are two channels, named by a random number. Over one a
// starting thread asks; over the other the answer goes to it and to all threads that listen already. A word in shared
// memory counts the answers. So a thread learns by one load that there is something to take, and takes it without
// waiting, even in the middle of its work. The old layer's files are gone when the last thread has taken the new one.

import { randomUUID } from 'node:crypto';
import { BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { LayerReader } from './layer.ts';
import { checkIndex } from './layer_index.ts';

/** Layers by name, in no order of importance: the embedded gazetteer, and what was imported from extracts. */
export type LayerName = 'world' | 'extract';
const NAMES: readonly LayerName[] = ['world', 'extract'];

/** State that every thread gets at its start. */
export interface LayerShareState {
  /** Int32: answers so far. */
  answers: SharedArrayBuffer;
  /** Random part of the names of the channels. */
  channel: string;
}

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
  return { answers: new SharedArrayBuffer(4), channel: randomUUID() };
}

/** Hands the layers out, in the writer thread. It does not keep its thread alive, and no thread waits for it. */
export class LayerShareSource {
  private readonly answers: Int32Array;
  private readonly asked: BroadcastChannel;
  private readonly answered: BroadcastChannel;
  private layers: Partial<Record<LayerName, SharedLayer>> = {};
  private checked = 0;

  constructor(state: LayerShareState) {
    this.answers = new Int32Array(state.answers);
    this.asked = new BroadcastChannel(askedName(state));
    this.answered = new BroadcastChannel(answeredName(state));
    this.asked.onmessage = () => this.answer();
    this.asked.unref();
    this.answered.unref();
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
    this.answer();
  }

  private answer(): void {
    this.answered.postMessage(this.layers);
    Atomics.add(this.answers, 0, 1);
  }

  close(): void {
    this.asked.close();
    this.answered.close();
  }
}

/** Opens a layer once, to be sure that every thread can. @returns its places @throws Error when it cannot be used */
function countUsable(folder: string): number {
  const reader = new LayerReader(folder);
  void reader.close();
  checkIndex(folder);
  return reader.meta.count;
}

/** One thread's view of the layers. It does not keep its thread alive. */
export class LayerShareView {
  private readonly answers: Int32Array;
  private readonly answered: BroadcastChannel;
  /** Answers seen so far. */
  private seen: number;
  private shared: SharedLayers = {};
  private opened: OpenLayers = {};

  /**
   * Opens the layers as they are now.
   * @param state of this process, in which a `LayerShareSource` answers
   * @throws Error when a layer cannot be used
   */
  static async open(state: LayerShareState): Promise<LayerShareView> {
    const view = new LayerShareView(state);
    const asking = new BroadcastChannel(askedName(state));
    try {
      const first = new Promise<void>(resolve => {
        view.answered.onmessage = ({ data }) => {
          view.shared = data;
          resolve();
        };
      });
      asking.postMessage('which');
      await first;
      view.answered.unref();
      view.openShared();
      return view;
    } catch (error) {
      await view.close();
      throw error;
    } finally {
      asking.close();
    }
  }

  private constructor(state: LayerShareState) {
    this.answers = new Int32Array(state.answers);
    this.answered = new BroadcastChannel(answeredName(state));
    this.seen = Atomics.load(this.answers, 0);
  }

  /**
   * The layers for the next batch: the same object as before, or another one when there is a new layer. That closes the
   * layers it replaces, so call it only between batches.
   * @throws Error when a new layer cannot be used
   */
  layers(): OpenLayers {
    if (Atomics.load(this.answers, 0) !== this.seen) this.openShared();
    return this.opened;
  }

  /** Ends the read transactions of all layers. Call it before the thread waits. */
  release(): void {
    for (const layer of Object.values(this.opened)) layer.reader.release();
  }

  async close(): Promise<void> {
    this.answered.close();
    await Promise.all(Object.values(this.opened).map(({ reader }) => reader.close()));
  }

  private openShared(): void {
    this.take();
    for (;;) {
      try {
        this.opened = this.openAll();
        return;
      } catch (error) {
        // Its folder may be gone because there is a newer one by now.
        if (!this.take()) throw error;
      }
    }
  }

  /** Takes what came. @returns true when something did */
  private take(): boolean {
    this.seen = Atomics.load(this.answers, 0);
    let came = false;
    for (let next = receive(this.answered); next !== undefined; next = receive(this.answered)) {
      this.shared = next;
      came = true;
    }
    return came;
  }

  /** Opens new layers and closes those they replace. */
  private openAll(): OpenLayers {
    const { shared, opened } = this;
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

function receive(channel: BroadcastChannel): SharedLayers | undefined {
  // A channel is a port to Node; its types do not say so.
  return receiveMessageOnPort(channel as unknown as MessagePort)?.message;
}

function askedName({ channel }: LayerShareState): string {
  return `layers asked for ${channel}`;
}

function answeredName({ channel }: LayerShareState): string {
  return `layers ${channel}`;
}
