// Finished places: the live layer of a data folder as one file. Another data folder takes it in as it is, and builds
// nothing. The file holds no extract, so its places cannot be joined with those of others, and take no changes.
//
//   one line of JSON    what the file is, and the sizes of the files of the layer
//   Zstandard           these files one after the other; a checksum at the end
//
// Of places that only answer points it holds what their indexes are made of (point_places.ts), which is much less.

import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { firstBytes } from '../../config/regular_file.ts';
import { checkPages } from '../../tables/environment/check_pages.ts';
import { requireRoom } from '../../tables/environment/commit.ts';
import { livePlaces } from '../../tables/places/extract_files.ts';
import { buildLayer, currentLayer, placesFolder } from '../../tables/places/generations.ts';
import { LAYER_FILES, LAYER_FORMAT, LayerReader, restateLayer } from '../../tables/places/layer.ts';
import type { KeptExtract, LayerMeta, Register } from '../../tables/places/layer_meta.ts';
import { registersOf } from '../../tables/places/licences.ts';
import { nameOfFiles, refuseLoss } from '../../tables/sources/source_name.ts';
import { BadDataError } from '../index/varint.ts';
import { aboutPart, cutPlaces, placesOfRegion, type Region } from './cut_places.ts';
import { asPlaces, type ImportExtracts } from './import_extracts.ts';
import { LayerBuilder } from './layer_builder.ts';
import { blocksOfPlaces, placesOfBlocks } from './point_places.ts';

const MARK = 'finished places of Sextant';
const FORMAT = 2;
/** Some two thousand sources with their licences. */
const HEADER_BYTES_MAX = 1_048_576;
const PIECE_BYTES = 1_048_576;
const NEW_LINE = 10;
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 6,
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** What a file of finished places says of itself. */
interface Header {
  is: typeof MARK;
  format: number;
  /** Format of the layer. */
  layer: number;
  /** ISO 8601, UTC. */
  builtAt: string;
  licence: string;
  /** Sources of addresses in them. */
  registers: Register[];
  /** Names of the extracts that it was built from. */
  extracts: string[];
  /** Objects of the map in them. */
  objects: number;
  places: number;
  /** Bytes of the files of a layer, in the order of `LAYER_FILES`. */
  sizes: number[];
  /** It holds places that only answer points; the layer then takes less than `sizes`. */
  pointsOnly?: true;
  /** Of the extract, if it is one that tells it. */
  sequence?: number;
  upTo?: string;
}

/** What an import of finished places did. */
export interface FinishedSummary {
  places: number;
  /** ISO 8601, UTC. */
  builtAt: string;
}

/** A piece of a file of finished places, with how far it has come. */
interface FinishedPiece {
  bytes: Buffer;
  /** Bytes of the layer; of places that only answer points, steps. */
  done: number;
  total: number;
}

/** What of the places is exported. */
export interface PlacesExport {
  /** By default all. */
  region?: Region;
  /** They answer points, and no searches. */
  pointsOnly?: boolean;
  /** A folder to make for the layer of a region, and to remove afterwards. */
  scratchFolder: string;
  /** Called often while a layer of a region is made; what it throws ends the export. */
  onCut(done: number, total: number): void;
}

/**
 * The live places of a data folder as a file, piece by piece. The folder may be in use.
 * @throws Error when it has none
 */
export async function* exportPlaces(folder: string, options: PlacesExport): AsyncGenerator<FinishedPiece> {
  const live = currentLayer(placesFolder(folder));
  const reader = live === undefined ? undefined : new LayerReader(live);
  try {
    if (live === undefined || !reader?.meta.count)
      throw new Error(`There are no places in ${folder}; import some first: sextant import osm.`);
    yield* piecesOf(reader, live, options);
  } finally {
    await reader?.close();
  }
}

async function* piecesOf(
  reader: LayerReader,
  live: string,
  { region = {}, pointsOnly = reader.meta.pointsOnly, scratchFolder, onCut }: PlacesExport,
): AsyncGenerator<FinishedPiece> {
  if (pointsOnly) yield* pointsOf(reader, live, region);
  else if (region.box === undefined && region.country === undefined) yield* filesOf(live);
  else {
    try {
      await cutPlaces(reader, scratchFolder, region, onCut);
      yield* filesOf(scratchFolder);
    } finally {
      rmSync(scratchFolder, { recursive: true, force: true });
    }
  }
}

/** A layer as it is. */
async function* filesOf(layer: string): AsyncGenerator<FinishedPiece> {
  const reader = new LayerReader(layer);
  await reader.close();
  // An import may remove the files meanwhile; those that are open stay readable.
  const files = await Promise.all(LAYER_FILES.map(name => open(join(layer, name))));
  try {
    const sizes = await Promise.all(files.map(async file => (await file.stat()).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    yield { bytes: lineOf(headerOf(reader.meta, sizes)), done: 0, total };
    let done = 0;
    const bytes = async function* () {
      for (const file of files)
        for await (const piece of file.createReadStream({ autoClose: false, highWaterMark: PIECE_BYTES })) {
          done += piece.length;
          yield piece;
        }
    };
    for await (const piece of piped(Readable.from(bytes()), createZstdCompress({ params: COMPRESSION })))
      yield { bytes: piece, done, total };
  } finally {
    await Promise.all(files.map(file => file.close()));
  }
}

/** What a layer that only answers points is made of. */
async function* pointsOf(reader: LayerReader, live: string, region: Region): AsyncGenerator<FinishedPiece> {
  let [done, total] = [0, 0];
  const places = placesOfRegion(reader, region, (...told) => {
    [done, total] = told;
  });
  const first = places.next();
  const sizes = LAYER_FILES.map(name => statSync(join(live, name)).size);
  const meta = aboutPart(reader.meta, first.value.kept);
  yield { bytes: lineOf({ ...headerOf(meta, sizes), pointsOnly: true }), done, total };
  const all = function* () {
    yield first.value;
    yield* places;
  };
  for await (const piece of piped(Readable.from(blocksOfPlaces(all())), createZstdCompress({ params: COMPRESSION })))
    yield { bytes: piece, done, total };
}

function lineOf(header: Header): Buffer {
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** What a stream makes of another one. An error of either comes out where the result is read. */
function piped(from: Readable, to: Duplex): AsyncIterable<Buffer> {
  return pipeline(from, to, () => {});
}

function headerOf(meta: LayerMeta, sizes: number[]): Header {
  const { builtAt, licence, extracts = [], count } = meta;
  const [first] = extracts;
  return {
    is: MARK,
    format: FORMAT,
    layer: LAYER_FORMAT,
    builtAt,
    licence,
    registers: registersOf(meta),
    extracts: extracts.map(({ name }) => name),
    objects: extracts.reduce((sum, { objects }) => sum + objects, 0),
    places: count,
    sizes,
    ...(extracts.length === 1 && first.sequence !== undefined && { sequence: first.sequence }),
    ...(extracts.length === 1 && first.upTo !== undefined && { upTo: first.upTo }),
  };
}

/** True for a file of finished places; false also where there is none. */
export function areFinished(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  return firstBytes(path, MARK.length + 8).equals(Buffer.from(`{"is":"${MARK}"`).subarray(0, MARK.length + 8));
}

/**
 * Takes finished places in, in place of all that the data folder has of their name. Nothing is in force before all is
 * on disk and has been checked.
 * @throws ReplacementRefused when too much would go; Error with a full sentence; the live layer is unchanged
 */
export async function importFinishedPlaces({
  folder,
  files: [path, ...others],
  source = nameOfFiles([path]),
  replace,
  onProgress,
}: Omit<ImportExtracts, 'onProgress'> & {
  /** Called often, with bytes; an exception from it ends the import. */
  onProgress(done: number, total: number): void;
}): Promise<FinishedSummary> {
  if (others.length > 0) throw new Error('Finished places are imported alone, as one file.');
  const { header, begin } = readHeader(path);
  requireSuccession(folder, header, source, replace);
  const total = header.sizes.reduce((sum, size) => sum + size, 0);
  requireRoom(folder, total, 'The places');
  const { sequence, upTo, objects, registers } = header;
  const extract: KeptExtract = {
    ...{ name: source, files: [], objects, importedAt: new Date().toISOString() },
    ...(registers.length > 0 && { registers }),
    ...(sequence !== undefined && { sequence }),
    ...(upTo !== undefined && { upTo }),
  };
  return asPlaces(folder, () =>
    buildLayer(placesFolder(folder), async layer => {
      if (header.pointsOnly) await makeLayer(path, begin, header, layer, extract, onProgress);
      else {
        await takeFiles(path, begin, header, layer, onProgress);
        checkPages(layer);
        await restateLayer(layer, [extract]);
      }
      return { places: header.places, builtAt: header.builtAt };
    }),
  );
}

/** Writes the files of a layer. @throws Error for a damaged file */
async function takeFiles(
  path: string,
  begin: number,
  { sizes }: Header,
  layer: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  const files = await Promise.all(LAYER_FILES.map(name => create(join(layer, name))));
  try {
    const left = [...sizes];
    for await (const bytes of layerBytes(path, begin)) {
      done += bytes.length;
      onProgress(done, total);
      if (done > total) throw new Error(`${path} is damaged: it holds more than it says.`);
      await append(files, left, bytes);
    }
    if (done < total) throw new Error(`${path} is damaged: it ends too early.`);
  } finally {
    await Promise.all(files.map(file => file.close()));
  }
}

/** Makes a layer that only answers points. @throws Error for a damaged file */
async function makeLayer(
  path: string,
  begin: number,
  { builtAt, licence, extracts, places }: Header,
  layer: string,
  extract: KeptExtract,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const builder = LayerBuilder.start(layer, true);
  try {
    for await (const block of placesOfBlocks(layerBytes(path, begin))) {
      for (const { place, geometry } of block) builder.add(place, geometry);
      onProgress(builder.count, places);
    }
    if (builder.count !== places) throw new BadDataError(`${builder.count} places are in it, and ${places} should be`);
    await builder.finish({ builtAt, licence, sources: extracts, pointsOnly: true, extracts: [extract] }, onProgress);
  } catch (error) {
    await builder.abandon();
    throw error instanceof BadDataError ? damaged(path, error) : error;
  }
}

/** @throws Error for a file that is none of this version */
function readHeader(path: string): { header: Header; begin: number } {
  const bytes = firstBytes(path, HEADER_BYTES_MAX);
  const end = bytes.indexOf(NEW_LINE);
  const header: Header | undefined = end < 0 ? undefined : parsed(bytes.toString('utf8', 0, end));
  if (header === undefined) throw new Error(`${path} is damaged: its first line does not say what it is.`);
  if (header.format !== FORMAT || header.layer !== LAYER_FORMAT)
    throw new Error(`${path} was written by another version; export the places again with this one.`);
  return { header, begin: end + 1 };
}

function parsed(line: string): Header | undefined {
  try {
    const header: Header = JSON.parse(line);
    const { sizes, objects, places, registers = [] } = header;
    const areNumbers = [...sizes, objects, places].every(number => Number.isSafeInteger(number) && number >= 0);
    const texts = registers.flatMap(({ name, licence = '' }) => [name, licence]);
    const areTexts = texts.every(text => typeof text === 'string');
    return areNumbers && areTexts && sizes.length === LAYER_FILES.length ? header : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Error when the folder has places of other names, or too much of this name would go */
function requireSuccession(folder: string, { objects }: Header, source: string, replace: boolean | undefined): void {
  const { extracts: live = [], importance = [] } = livePlaces(folder) ?? {};
  const other = [...live, ...importance].find(({ name }) => name !== source);
  if (other !== undefined)
    throw new Error(
      `Finished places are not joined with others, and this folder has those of "${other.name}". Take them out ` +
        `first: sextant sources remove "${other.name}".`,
    );
  const held = live.reduce((sum, extract) => sum + extract.objects, 0);
  if (!replace) refuseLoss(source, 'objects', held, Math.max(0, held - objects));
}

async function create(path: string): Promise<FileHandle> {
  mkdirSync(dirname(path), { recursive: true });
  return open(path, 'wx', 0o600);
}

/** @throws Error that names the file when it cannot be read, or is not as it was written */
async function* layerBytes(path: string, start: number): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { start, highWaterMark: PIECE_BYTES });
  try {
    yield* piped(file, createZstdDecompress({ chunkSize: PIECE_BYTES }));
  } catch (error) {
    throw damaged(path, error);
  }
}

function damaged(path: string, error: unknown): Error {
  return new Error(`${path} is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, { cause: error });
}

/** Writes bytes to the files in turn. @param left bytes that each file lacks, which are counted down */
async function append(files: readonly FileHandle[], left: number[], bytes: Buffer): Promise<void> {
  let at = 0;
  for (const [i, file] of files.entries()) {
    const end = at + Math.min(left[i], bytes.length - at);
    if (end > at) await file.appendFile(bytes.subarray(at, end));
    left[i] -= end - at;
    at = end;
  }
}
