// Node positions: 16 bytes each, an id with its version and two coordinates, in chunks of a million, ordered by id. 50
// million nodes take 800 MB.
//
// Files usually hold their nodes in order, and appending is all there is to do. Each file is a run of its own. Chunks
// of a run that is out of order are sorted one by one and become runs themselves. Several runs are merged into one, and
// chunks that have been merged are reused for the result: ordered files need one chunk more than before, others twice
// the memory for the time of the merge.

import { idOf, versionedId } from './versions.ts';

const CHUNK_BITS = 20;
const CHUNK_NODES = 2 ** CHUNK_BITS;

interface Chunk {
  /** Versioned ids. */
  ids: Float64Array;
  /** Longitude, latitude; ten-millionths of a degree. */
  positions: Int32Array;
}

/** Consecutive chunks of nodes; all but the last are full. */
class Run {
  readonly chunks: Chunk[] = [];
  count = 0;
  isOrdered = true;
  /** Some id occurs twice. */
  hasVersions = false;
  private last = Number.NEGATIVE_INFINITY;

  add(versioned: number, longitude: number, latitude: number, newChunk: () => Chunk): void {
    const at = this.count++ & (CHUNK_NODES - 1);
    if (at === 0) this.chunks.push(newChunk());
    const { ids, positions } = this.chunks[this.chunks.length - 1];
    ids[at] = versioned;
    positions[at * 2] = longitude;
    positions[at * 2 + 1] = latitude;
    if (versioned < this.last) this.isOrdered = false;
    else if (idOf(versioned) === idOf(this.last)) this.hasVersions = true;
    this.last = versioned;
  }

  /** Replaces the last node. */
  replaceLast(versioned: number, longitude: number, latitude: number): void {
    const at = (this.count - 1) & (CHUNK_NODES - 1);
    const { ids, positions } = this.chunks[this.chunks.length - 1];
    ids[at] = versioned;
    positions[at * 2] = longitude;
    positions[at * 2 + 1] = latitude;
  }

  /** Each chunk, sorted, as a run of its own. */
  *sortedChunks(): Generator<Run> {
    for (const [number, chunk] of this.chunks.entries()) {
      const run = new Run();
      run.count = Math.min(CHUNK_NODES, this.count - number * CHUNK_NODES);
      run.chunks.push(sorted(chunk, run.count));
      yield run;
    }
  }
}

/** The nodes of all files: call `add`, then `finish`, then `find`. */
export class NodeStore {
  private runs: Run[] = [];
  private nodes = new Run();
  /** Number of the node found last; the next node of a way often follows it. */
  private found = 0;

  /** Starts another file. */
  beginFile(): void {
    this.runs.push(new Run());
  }

  /**
   * @param version 1 or more
   * @param longitude, latitude ten-millionths of a degree
   * @throws BadDataError for an id beyond 2^39
   */
  add(id: number, version: number, longitude: number, latitude: number): void {
    this.runs[this.runs.length - 1].add(versionedId(id, version), longitude, latitude, newChunk);
  }

  /** Orders all nodes and keeps each once, in its newest version, or that of the later file if versions are equal. */
  finish(): void {
    const runs = this.runs.flatMap(run => (run.isOrdered ? run : [...run.sortedChunks()])).filter(run => run.count > 0);
    const hasVersions = this.runs.some(run => run.hasVersions);
    this.nodes = runs.length === 1 && !hasVersions ? runs[0] : merge(runs);
    this.runs = [];
  }

  /** Distinct nodes. */
  get size(): number {
    return this.nodes.count;
  }

  /** @returns the node's number for `longitude` and `latitude`; -1 if it is missing */
  find(id: number): number {
    const first = versionedId(id, 0);
    const next = this.found + 1;
    if (next < this.nodes.count && idOf(this.idAt(next)) === id) {
      this.found = next;
      return next;
    }
    let low = 0;
    let high = this.nodes.count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.idAt(middle) < first) low = middle + 1;
      else high = middle;
    }
    if (low === this.nodes.count || idOf(this.idAt(low)) !== id) return -1;
    this.found = low;
    return low;
  }

  longitude(number: number): number {
    return this.nodes.chunks[number >>> CHUNK_BITS].positions[(number & (CHUNK_NODES - 1)) * 2];
  }

  latitude(number: number): number {
    return this.nodes.chunks[number >>> CHUNK_BITS].positions[(number & (CHUNK_NODES - 1)) * 2 + 1];
  }

  private idAt(number: number): number {
    return this.nodes.chunks[number >>> CHUNK_BITS].ids[number & (CHUNK_NODES - 1)];
  }
}

function newChunk(): Chunk {
  return { ids: new Float64Array(CHUNK_NODES), positions: new Int32Array(CHUNK_NODES * 2) };
}

function sorted(chunk: Chunk, count: number): Chunk {
  const order = new Uint32Array(count).map((_, at) => at).sort((a, b) => chunk.ids[a] - chunk.ids[b]);
  const result = newChunk();
  for (let at = 0; at < count; at++) {
    const from = order[at];
    result.ids[at] = chunk.ids[from];
    result.positions[at * 2] = chunk.positions[from * 2];
    result.positions[at * 2 + 1] = chunk.positions[from * 2 + 1];
  }
  return result;
}

/** Position of the merge in a run. */
interface Cursor {
  run: Run;
  number: number;
  at: number;
}

/** Merges runs into one with each id once. Chunks are reused once all their nodes have been taken. */
function merge(runs: readonly Run[]): Run {
  const result = new Run();
  const free: Chunk[] = [];
  const take = () => free.pop() ?? newChunk();
  const open = runs.map((run, number): Cursor => ({ run, number, at: 0 })).sort(compare);
  let last = Number.NaN;
  while (open.length > 0) {
    const cursor = open[0];
    const chunk = cursor.run.chunks[cursor.at >>> CHUNK_BITS];
    const within = cursor.at & (CHUNK_NODES - 1);
    const versioned = chunk.ids[within];
    const longitude = chunk.positions[within * 2];
    const latitude = chunk.positions[within * 2 + 1];
    cursor.at++;
    if (within === CHUNK_NODES - 1 || cursor.at === cursor.run.count) free.push(chunk);
    if (idOf(versioned) === last) result.replaceLast(versioned, longitude, latitude);
    else result.add(versioned, longitude, latitude, take);
    last = idOf(versioned);
    if (cursor.at === cursor.run.count) open.shift();
    else settleFirst(open);
  }
  return result;
}

function compare(a: Cursor, b: Cursor): number {
  return nextId(a) - nextId(b) || a.number - b.number;
}

function nextId({ run, at }: Cursor): number {
  return run.chunks[at >>> CHUNK_BITS].ids[at & (CHUNK_NODES - 1)];
}

/** Moves the first cursor to where its next node belongs. */
function settleFirst(open: Cursor[]): void {
  const cursor = open[0];
  let at = 0;
  while (at + 1 < open.length && compare(open[at + 1], cursor) < 0) {
    open[at] = open[at + 1];
    at++;
  }
  open[at] = cursor;
}
