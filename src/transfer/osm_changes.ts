// Reads OsmChange files (.osc, wiki.openstreetmap.org/wiki/OsmChange), plain or gzip: objects of the map as they are
// after a change, under <create>, <modify> or <delete>. They are passed on one by one, so memory does not grow with the
// file.

import { readFileSync, statSync } from 'node:fs';
import sax, { type SAXParser } from 'sax';
import { unitsOf } from '../geo/units.ts';
import type { ObjectChange } from '../geocoding/import/osm/change_file.ts';
import { BadDataError } from '../geocoding/index/varint.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../tables/places/place.ts';
import { openText, piecesOf } from './files/text_file.ts';

/** What a file of changes said as a whole. */
interface ReadChanges {
  /** When the last object was changed, milliseconds since 1970; 0 if it does not say. */
  newestMs: number;
  /** The same of the first. */
  oldestMs: number;
}

const ROOT = 'osmChange';
const ACTIONS = ['create', 'modify', 'delete'];
const TYPES: Readonly<Record<string, OsmType>> = { node: OSM_NODE, way: OSM_WAY, relation: OSM_RELATION };
/** Some programs write all in one line. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
/** Nodes, members or tags of an object; the map has none with a third of it. */
const PARTS_MAX = 100_000;

/**
 * Reads a file.
 * @param take receives each object; versions of one object may come in any order
 * @param onBytes receives the bytes of the file read so far
 * @throws Error that names the file, and the line, if it cannot be read to its end
 */
export async function readOsmChanges(
  path: string,
  take: (change: ObjectChange) => void,
  onBytes: (bytes: number) => void,
): Promise<ReadChanges> {
  const file = await openText(path, process.stdin);
  const reader = new ChangeReader(take);
  try {
    for await (const { lines } of file.blocks(LINE_BYTES_MAX))
      for (const piece of piecesOf(lines)) {
        reader.write(piece);
        onBytes(file.bytesRead());
      }
    reader.finish();
  } catch (error) {
    if (!(error instanceof BadDataError)) throw error;
    throw new Error(`${file.name}, line ${reader.line.toLocaleString('en')}: ${error.message}`, { cause: error });
  } finally {
    file.close();
  }
  return reader.read;
}

/** Of a file 123.osc.gz in 456/789, or so: the number is 456,789,123. */
const NUMBERED = /(?:^|[/\\])(\d{3})[/\\](\d{3})[/\\](\d{3})\.osc(?:\.gz)?$/;
/** The line of a state file with the number. */
const SEQUENCE = /^sequenceNumber\s*=\s*(\d{1,12})\s*$/m;
/** Of a state file. */
export const STATE_BYTES_MAX = 64 * 1024;

/**
 * The number of a file among those of its publisher: in the state file beside it, `123.state.txt` for `123.osc.gz`, or
 * else in its path.
 * @returns undefined where nothing tells it
 */
export function sequenceOf(path: string): number | undefined {
  const state = path.replace(/\.osc(\.gz)?$/, '.state.txt');
  if (state !== path && (statSync(state, { throwIfNoEntry: false })?.size ?? Infinity) <= STATE_BYTES_MAX) {
    const sequence = sequenceIn(readFileSync(state, 'utf8'));
    if (sequence === undefined) throw new Error(`${state} names no sequenceNumber.`);
    return sequence;
  }
  const triples = NUMBERED.exec(path);
  return triples === null ? undefined : Number(triples.slice(1).join(''));
}

/** The number that a state file names; undefined if it names none. */
export function sequenceIn(state: string): number | undefined {
  const found = SEQUENCE.exec(state);
  return found === null ? undefined : Number(found[1]);
}

/** An object while it is read. */
interface Draft extends ObjectChange {
  tags: Record<string, string>;
  nodeIds: number[];
  members: { type: OsmType; id: number; role: string }[];
  parts: number;
}

class ChangeReader {
  readonly read: ReadChanges = { newestMs: 0, oldestMs: 0 };
  private readonly sax: SAXParser = sax.parser(true);
  private readonly take: (change: ObjectChange) => void;
  /** Names of the elements that are open. */
  private readonly open: string[] = [];
  private draft: Draft | undefined;
  private isComplete = false;

  constructor(take: (change: ObjectChange) => void) {
    this.take = take;
    this.sax.onopentag = ({ name, attributes }) => {
      this.enter(name, attributes as Record<string, string>);
      this.open.push(name);
    };
    this.sax.onclosetag = () => {
      this.open.pop();
      if (this.open.length === 0) this.isComplete = true;
      if (this.open.length !== 2 || this.draft === undefined) return;
      const { parts: _, ...change } = this.draft;
      this.draft = undefined;
      this.take(change);
    };
    this.sax.onerror = ({ message }) => {
      throw new BadDataError(`it is no XML: ${message.split('\n', 1)[0].replace(/\.?$/, '.')}`);
    };
  }

  /** The line being read, from 1. */
  get line(): number {
    return this.sax.line + 1;
  }

  write(text: string): void {
    this.sax.write(text);
  }

  finish(): void {
    if (this.isComplete) return;
    const element = this.open.at(-1);
    throw new BadDataError(
      element === undefined ? `it holds no <${ROOT}>.` : `the file ends within the element <${element}>.`,
    );
  }

  private enter(name: string, attributes: Record<string, string>): void {
    const depth = this.open.length;
    if (depth === 0 && name !== ROOT) throw new BadDataError(`<${name}> stands where <${ROOT}> must.`);
    if (depth === 1 && !ACTIONS.includes(name)) throw new BadDataError(`<${name}> is none of ${ACTIONS.join(', ')}.`);
    if (depth === 2) this.begin(name, attributes);
    if (depth > 2 && this.draft !== undefined) this.addPart(this.draft, name, attributes);
  }

  private begin(name: string, attributes: Record<string, string>): void {
    const type = TYPES[name];
    if (type === undefined) throw new BadDataError(`<${name}> is none of ${Object.keys(TYPES).join(', ')}.`);
    const isDeleted = this.open[1] === 'delete' || attributes.visible === 'false';
    const isPlaced = type === OSM_NODE && !isDeleted;
    const version = wholeIn(attributes, 'version');
    if (version < 1) throw new BadDataError(`version="${attributes.version}" is no version, which begin with 1.`);
    const changedMs = Date.parse(attributes.timestamp);
    const { read } = this;
    if (changedMs > read.newestMs) read.newestMs = changedMs;
    if (read.oldestMs === 0 || changedMs < read.oldestMs) read.oldestMs = changedMs || read.oldestMs;
    this.draft = {
      type,
      id: wholeIn(attributes, 'id'),
      version,
      isDeleted,
      tags: {},
      longitude: isPlaced ? unitsIn(attributes, 'lon', 180) : 0,
      latitude: isPlaced ? unitsIn(attributes, 'lat', 90) : 0,
      nodeIds: [],
      members: [],
      parts: 0,
    };
  }

  private addPart(draft: Draft, name: string, attributes: Record<string, string>): void {
    if (++draft.parts > PARTS_MAX) throw new BadDataError(`an object has more than ${PARTS_MAX} parts.`);
    const { tags, nodeIds, members } = draft;
    // Assigning the key __proto__ would set the prototype instead of a member.
    if (name === 'tag' && attributes.k !== '__proto__') tags[textIn(attributes, 'k')] = textIn(attributes, 'v');
    else if (name === 'nd') nodeIds.push(wholeIn(attributes, 'ref'));
    else if (name === 'member') {
      const type = TYPES[textIn(attributes, 'type')];
      if (type === undefined) throw new BadDataError(`type="${attributes.type}" is no type of a member.`);
      members.push({ type, id: wholeIn(attributes, 'ref'), role: attributes.role ?? '' });
    }
  }
}

function textIn(attributes: Record<string, string>, name: string): string {
  const text = attributes[name];
  if (text === undefined) throw new BadDataError(`the attribute ${name} is missing.`);
  return text;
}

/** Ids and versions are below 2^39, the greatest that extracts are read with. */
function wholeIn(attributes: Record<string, string>, name: string): number {
  const text = textIn(attributes, name);
  if (!/^-?\d{1,11}$/.test(text)) throw new BadDataError(`${name}="${text}" is no whole number.`);
  return Number(text);
}

/** Degrees as ten-millionths. */
function unitsIn(attributes: Record<string, string>, name: string, max: number): number {
  const text = textIn(attributes, name);
  const degrees = text.trim() === '' ? Number.NaN : Number(text);
  if (!(Math.abs(degrees) <= max)) throw new BadDataError(`${name}="${text}" is not from -${max} to ${max}.`);
  return unitsOf(degrees);
}
