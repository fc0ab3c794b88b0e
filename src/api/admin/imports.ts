// Imports over the admin interface. The file is the body of the request, so no path of a request ever reaches the file
// system: the body goes into a file of the spool folder, whose name we choose, and the owner of the data folder imports
// that as it does for a command. The request is answered when the file is complete; how far its import has come is
// asked for separately. An import that is cancelled leaves nothing: tables change at the end, and measurements, which
// are taken as they come, are taken out again with their source, if it is a new one.

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { spoolFolder } from '../../folder/data_folder.ts';
import { type AddressFlags, addressMembers } from '../../jobs/address_job.ts';
import { type AddressesJob, CANCELLED, type ImportJob, messageOf, type Progress } from '../../jobs/job.ts';
import { listSources } from '../../jobs/sources.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { freeBytes, READY_BYTES } from '../../tables/environment/commit.ts';
import type { AddressKind } from '../../tables/places/layer_meta.ts';
import { ReplacementRefused } from '../../tables/sources/source_name.ts';
import { type AddressLook, LOOK_BYTES, lookAtAddresses } from '../../transfer/addresses/look_at_addresses.ts';
import { Refused } from '../transport/refused.ts';
import { percentOf } from './jobs.ts';

/** Largest file: four times the largest extract of a continent's country. */
const FILE_BYTES_MAX = 17_179_869_184;
/** How often the free space is looked at. */
const SPACE_CHECK_BYTES = 67_108_864;
/** Imports that wait or run; each holds a file. */
const OPEN_MAX = 8;
/** Imports that are remembered once they have ended. */
const ENDED_MAX = 100;

/** Why an import is not cancelled. */
const LASTING =
  'Measurements are taken as they come, so an import of them can be cancelled only if it has the name of a new source.';

/** The parameters of a request that sends a file. */
type UploadQuery = AddressFlags & {
  kind: ImportJob['kind'];
  format?: string;
  source?: string;
  replace?: 'true';
};

/** What the request says of the file. */
interface Asked extends Partial<Pick<AddressesJob, 'licence' | 'country' | 'encoding' | 'columns'>> {
  kind: ImportJob['kind'];
  format?: string;
  source?: string;
  replace?: true;
}

/** An import, as the interface shows it. */
interface ImportState extends Asked {
  id: number;
  state: 'receiving' | 'importing' | 'done' | 'failed' | 'cancelled';
  bytes: number;
  /** How far the receipt, or the phase of the import, has come. */
  percent?: number;
  progress?: Progress;
  result?: unknown;
  error?: string;
}

/** The imports of a running service. */
export class Imports {
  private readonly folder: string;
  private readonly states: ImportState[] = [];
  /** Ends imports that are under way, by their number. */
  private readonly cancels = new Map<number, AbortController>();
  private lastId = 0;

  /** @param folder data folder */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Imports in the order of their arrival. */
  list(): readonly ImportState[] {
    return this.states;
  }

  /** @throws Refused when there is none */
  get(id: number): ImportState {
    const state = this.states.find(each => each.id === id);
    if (state === undefined) throw new Refused(404, `There is no import ${id}.`);
    return state;
  }

  /**
   * Receives the file of a request and begins its import, which ends if the client goes away before it is answered.
   * @throws Refused as `receive`, and when parameters do not go together
   */
  take(
    { kind, format, source, replace, ...others }: UploadQuery,
    { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>,
    { raw }: Pick<FastifyReply, 'raw'>,
  ): Promise<ImportState> {
    const file = fileOf(body);
    if (kind !== 'observations' && source === undefined)
      throw new Refused(400, 'Name the source, as in source=own: an import under the same name replaces it.', 'source');
    if (kind !== 'observations' && format !== undefined)
      throw new Refused(400, 'Only measurements have a format; the files of other kinds tell it themselves.', 'format');
    const [foreign] = kind === 'addresses' || kind === 'postcodes' ? [] : Object.keys(others);
    if (foreign !== undefined) throw new Refused(400, `${foreign} goes with addresses and postcodes only.`, foreign);
    const left = new AbortController();
    raw.once('close', () => raw.writableFinished || left.abort());
    const asked = {
      kind,
      ...(format !== undefined && { format }),
      ...(source !== undefined && { source }),
      ...(replace !== undefined && { replace: true as const }),
      ...addressMembers(others),
    };
    return this.receive(asked, file, Number(headers['content-length']), left.signal);
  }

  /**
   * Receives a file and begins its import.
   * @param bytesTotal what the request says of its length; NaN or 0 where it says nothing
   * @param isLeft tells that the client went away before it was answered, which cancels the import
   * @returns once the file is complete
   * @throws Refused when it is too large, there is no room for it, or too many imports are under way
   */
  private async receive(asked: Asked, body: Readable, bytesTotal: number, isLeft: AbortSignal): Promise<ImportState> {
    if (this.states.filter(isOpen).length >= OPEN_MAX)
      throw new Refused(429, `${OPEN_MAX} imports are under way; wait until one has ended.`);
    const state: ImportState = { id: ++this.lastId, ...asked, state: 'receiving', bytes: 0 };
    this.add(state);
    const cancel = new AbortController();
    this.cancels.set(state.id, cancel);
    isLeft.addEventListener('abort', () => cancel.abort());
    const file = join(spoolFolder(this.folder), `admin-${process.pid}-${state.id}`);
    try {
      await pipeline(
        body,
        countBytes(this.folder, state, bytesTotal, FILE_BYTES_MAX),
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
        { signal: cancel.signal },
      );
    } catch (error) {
      await rm(file, { force: true });
      this.cancels.delete(state.id);
      if (cancel.signal.aborted) {
        state.state = 'cancelled';
        throw new Refused(409, `${CANCELLED}.`);
      }
      Object.assign(state, { state: 'failed', error: messageOf(error) });
      throw error;
    }
    state.state = 'importing';
    delete state.percent;
    void this.run(state, asked, file, cancel.signal).catch(error =>
      Object.assign(state, { state: 'failed', error: messageOf(error) }),
    );
    return state;
  }

  /**
   * Has an import end early. One that is at its end already still ends as if nobody had asked. @returns the import,
   * which ends soon @throws Refused when there is none, it has ended, or what it brings stays
   */
  cancel(id: number): ImportState {
    const state = this.get(id);
    const cancel = this.cancels.get(id);
    if (cancel === undefined)
      throw new Refused(409, isOpen(state) ? LASTING : `Import ${id} has ended, so nothing can be cancelled.`);
    cancel.abort();
    return { ...state };
  }

  /** Hands the file to the owner, and removes it. @throws Error when it cannot be removed */
  private async run(state: ImportState, asked: Asked, file: string, cancelled: AbortSignal): Promise<void> {
    // Finished places come as a file in the place of an extract.
    const kind = asked.kind === 'places' ? 'osm' : asked.kind;
    const job = { verb: 'import', ...asked, kind, files: [file] } as ImportJob;
    try {
      if (await this.lasts(asked)) this.cancels.delete(state.id);
      const onProgress = (progress: Progress) => Object.assign(state, { progress, percent: percentOf(progress) });
      state.result = await askOwner(this.folder, job, onProgress, cancelled);
      Object.assign(state, { state: 'done', percent: 100 });
    } catch (error) {
      const how = error instanceof ReplacementRefused ? ' Name another source, or send it with replace=true.' : '';
      const message = messageOf(error);
      if (cancelled.aborted && message.includes(CANCELLED)) state.state = 'cancelled';
      else Object.assign(state, { state: 'failed', error: message.replaceAll(file, 'The file') + how });
    }
    this.cancels.delete(state.id);
    await rm(file, { force: true });
  }

  /** True if what an import brings cannot be told from what is there already: measurements, but for a new source. */
  private async lasts({ kind, source }: Asked): Promise<boolean> {
    if (kind !== 'observations') return false;
    return source === undefined || (await listSources(this.folder)).some(({ name }) => name === source);
  }

  private add(state: ImportState): void {
    this.states.push(state);
    const ended = this.states.filter(each => !isOpen(each));
    if (ended.length > ENDED_MAX) this.states.splice(this.states.indexOf(ended[0]), 1);
  }
}

/** The bytes of a body that is looked at. @throws Refused when there are too many, or it is none */
export async function firstBytesOf({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): Promise<Buffer> {
  const file = fileOf(body);
  const chunks: Buffer[] = [];
  const requireFew = (bytes: number): void => {
    if (bytes > LOOK_BYTES) throw new Refused(413, `Send the first ${LOOK_BYTES} bytes of the file at most.`);
  };
  requireFew(Number(headers['content-length']));
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    requireFew(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Looks at the first bytes of a table of addresses. Nothing of it is kept.
 * @throws Refused when there are too many, or they hold no table
 */
export async function lookAt(
  { kind, ...others }: AddressFlags & { kind: AddressKind },
  request: Pick<FastifyRequest, 'body' | 'headers'>,
): Promise<AddressLook> {
  const first = await firstBytesOf(request);
  const { licence: _, ...options } = addressMembers(others);
  try {
    return await lookAtAddresses(first, { ...options, isPostcodes: kind === 'postcodes' });
  } catch (error) {
    throw new Refused(400, messageOf(error));
  }
}

/** The body of an upload. @throws Refused when it is none */
export function fileOf(body: unknown): Readable {
  if (typeof (body as Readable | undefined)?.pipe === 'function') return body as Readable;
  throw new Refused(415, 'The body must be the file, with the content type application/octet-stream.');
}

/**
 * Counts the bytes of a body, and refuses too many.
 * @param state gets how many have come, and how many of a hundred parts
 * @param bytesTotal NaN if the client does not say
 */
export function countBytes(
  folder: string,
  state: { bytes: number; percent?: number },
  bytesTotal: number,
  bytesMax: number,
): Transform {
  let checkAt = 0;
  const check = (): void => {
    if (state.bytes > bytesMax) throw new Refused(413, `The file is larger than ${bytesMax} bytes.`);
    if (state.bytes < checkAt) return;
    checkAt = state.bytes + SPACE_CHECK_BYTES;
    if (freeBytes(folder) < READY_BYTES + SPACE_CHECK_BYTES)
      throw new Refused(507, 'The disk of the data folder has no room for the file.');
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      state.bytes += chunk.length;
      Object.assign(state, { percent: percentOf({ bytesDone: state.bytes, bytesTotal }) });
      try {
        check();
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function isOpen({ state }: ImportState): boolean {
  return state === 'receiving' || state === 'importing';
}
