// Where a publisher of changes of the map has them (wiki.openstreetmap.org/wiki/Planet.osm/diffs), and which of them an
// extract lacks. Its files are numbered without gaps, and each has a state file with its number and time:
//
//   URL/state.txt               that of the last file
//   URL/000/004/123.state.txt   that of file 4,123
//   URL/000/004/123.osc.gz      its changes

import { STATE_BYTES_MAX, sequenceIn } from '../osm_changes.ts';
import { fetchText, type Patience } from './ask.ts';

/** A state file. */
interface ChangesState {
  sequence: number;
  /** Up to when the changes go, milliseconds since 1970. */
  upToMs: number;
}

/** Up to where an extract has the changes. */
interface Reached {
  name: string;
  /** Number of the last file in it, perhaps of another publisher; undefined where nothing tells it. */
  sequence: number | undefined;
  /** When the last change in it was made, milliseconds since 1970; 0 if nothing tells it. */
  newestMs: number;
}

const TIMESTAMP = /^timestamp\s*=\s*(\S+)\s*$/m;
/** The last change of a file may be as much older than its state. Publishers have a file a day at least. */
const STATE_MS = 2 * 86_400_000;

/** A publisher of changes. */
export class Publisher {
  readonly url: string;
  private readonly patience: Partial<Patience>;

  /** @param url of the folder with its files */
  constructor(url: string, patience: Partial<Patience> = {}) {
    this.url = url.replace(/\/+$/, '');
    this.patience = patience;
  }

  /** The state of its last file. @throws Error with a full sentence */
  async last(): Promise<ChangesState> {
    const state = await this.read('state.txt');
    if (state === undefined) throw new Error(`${this.url} has no state.txt, as publishers of changes have.`);
    return state;
  }

  /** The state of a file; undefined if it has none. @throws Error with a full sentence */
  stateOf(sequence: number): Promise<ChangesState | undefined> {
    return this.read(`${pathOf(sequence)}.state.txt`);
  }

  /** Address of a file. */
  fileOf(sequence: number): string {
    return `${this.url}/${pathOf(sequence)}.osc.gz`;
  }

  /**
   * The number of the last file that an extract has of this publisher.
   * @throws Error with a full sentence where that cannot be told, or where the publisher lacks files after it
   */
  async reachedBy({ name, sequence, newestMs }: Reached, last: ChangesState): Promise<number> {
    // The number may be that of another publisher; then its state has another time.
    const state = sequence === undefined ? undefined : await this.stateOf(sequence);
    const laterMs = (state?.upToMs ?? 0) - newestMs;
    if (state !== undefined && (newestMs === 0 || (laterMs >= 0 && laterMs <= STATE_MS))) return state.sequence;
    if (newestMs === 0)
      throw new Error(`Nothing tells up to when "${name}" has the changes of the map; import a later extract.`);
    return last.upToMs <= newestMs ? last.sequence : this.sequenceAt(newestMs, last, name);
  }

  /** The last file that ends at a time or before. @param last a file that ends later */
  private async sequenceAt(timeMs: number, last: ChangesState, name: string): Promise<number> {
    let newer = last;
    // Old files may be gone: what has no state is taken for older.
    let older = newer.sequence;
    for (let step = 1; older === newer.sequence; step *= 2) {
      older = Math.max(0, newer.sequence - step);
      const state = await this.stateOf(older);
      if (state !== undefined && state.upToMs > timeMs && older > 0) newer = state;
    }
    while (newer.sequence - older > 1) {
      const middle = Math.floor((newer.sequence + older) / 2);
      const state = await this.stateOf(middle);
      if (state !== undefined && state.upToMs > timeMs) newer = state;
      else older = middle;
    }
    const state = await this.stateOf(older);
    if (state !== undefined && state.upToMs <= timeMs) return older;
    throw new Error(
      `The extract "${name}" is of ${dateOf(timeMs)}, and ${this.url} has no changes before file ${newer.sequence} ` +
        `of ${dateOf(newer.upToMs)}: import a later extract.`,
    );
  }

  private async read(path: string): Promise<ChangesState | undefined> {
    const address = `${this.url}/${path}`;
    const text = await fetchText(address, STATE_BYTES_MAX, this.patience);
    if (text === undefined) return undefined;
    const sequence = sequenceIn(text);
    // The form of Java's properties has a backslash before a colon.
    const upToMs = Date.parse((TIMESTAMP.exec(text)?.[1] ?? '').replaceAll('\\', ''));
    if (sequence === undefined || Number.isNaN(upToMs))
      throw new Error(`${address} is no state file: it names no sequenceNumber and timestamp.`);
    if (!path.startsWith('state') && !path.startsWith(pathOf(sequence)))
      throw new Error(`${address} is the state of file ${sequence}.`);
    return { sequence, upToMs };
  }
}

/** Path of a file without its ending: 000/004/123. */
export function pathOf(sequence: number): string {
  return `${sequence}`.padStart(9, '0').replace(/^(\d+)(\d{3})(\d{3})$/, '$1/$2/$3');
}

function dateOf(time: number): string {
  return new Date(time).toISOString();
}
