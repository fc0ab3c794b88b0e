// Fetches a file of any size from the web. What has come stays on disk through failures and kills, and the next attempt
// asks for the rest. In a folder of the address:
//
//   NAME.partial   what has come so far
//   NAME.from      JSON: by what the server tells versions of the file apart, and its size
//   NAME           the whole file, on disk
//
// The rest is asked for on the condition that the file is still the same (If-Range). A server that has another one, or
// knows no ranges, answers with the whole file, which is then begun anew.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegularFile } from '../../config/regular_file.ts';
import { requireRoom } from '../../tables/environment/commit.ts';
import { replaceFile } from '../../tables/environment/durable_file.ts';
import { ask, fetchText, heard, Interrupted, type Patience, patiently, refusalOf } from './ask.ts';

/** A file to fetch. */
export interface Download {
  url: string;
  /** An existing folder, for this address alone. */
  folder: string;
  /** Called often. @param total 0 where the server does not say it */
  onProgress(done: number, total: number): void;
  /** Whether it is held against a hash that the server has beside it; it is by default. */
  isHashed?: boolean;
  /** Larger files are refused. */
  bytesMax?: number;
  patience?: Partial<Patience>;
}

/** Which file a partial one is a part of. */
interface Version {
  /** An entity tag or a date, as the server wrote it; absent without any. */
  validator?: string;
  /** Bytes; absent where the server does not say it. */
  total?: number;
}

/** The planet takes a third of it. */
const BYTES_MAX = 256 * 2 ** 30;
const ABOUT_BYTES_MAX = 65_536;
/** Free disk is looked at again after so much. */
const ROOM_BYTES = 64 * 2 ** 20;
const OK = 200;
const PARTIAL = 206;
const UNSATISFIABLE = 416;
/** Kinds of pages, which tell people of an error under a status of success. */
const PAGE = /^(?:text\/html|application\/(?:xhtml|json))/i;
const NAME_MAX = 100;
/** Files beside a file, with its hash in the first line. */
const CHECKSUMS = [
  { suffix: '.sha256', algorithm: 'sha256', pattern: /\b[0-9a-f]{64}\b/i },
  { suffix: '.md5', algorithm: 'md5', pattern: /\b[0-9a-f]{32}\b/i },
] as const;

/**
 * Fetches a file, or the rest of it.
 * @returns its path
 * @throws Error with a full sentence; what has come stays for the next attempt, but for what is wrong
 */
export async function download(of: Download): Promise<string> {
  const path = join(of.folder, nameOf(of.url));
  const partial = new PartialFile(path);
  let most = partial.bytes;
  const hasProgress = (): boolean => {
    const before = most;
    most = Math.max(most, partial.bytes);
    return most > before;
  };
  await patiently(of.url, of.patience, () => fetchRest(of, partial), hasProgress);
  if (of.isHashed !== false) await requireChecksum(of, partial);
  await partial.complete();
  return path;
}

/** The last part of the path of an address. */
function nameOf(url: string): string {
  const last = basename(URL.parse(url)?.pathname ?? '');
  const name = last.replace(/[^\w.-]/g, '_').slice(-NAME_MAX);
  return /\w/.test(name) ? name : 'file';
}

/** The file as far as it has come. */
class PartialFile {
  readonly path: string;
  private readonly whole: string;
  private readonly about: string;
  version: Version;

  /** @param whole path of the file once it is complete; one that is there is asked for like the rest of any other */
  constructor(whole: string) {
    this.whole = whole;
    this.path = `${whole}.partial`;
    this.about = `${whole}.from`;
    if (existsSync(whole)) renameSync(whole, this.path);
    this.version = this.readVersion();
  }

  get bytes(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Begins anew. */
  begin(version: Version): void {
    rmSync(this.path, { force: true });
    replaceFile(this.about, JSON.stringify(version));
    this.version = version;
  }

  remove(): void {
    for (const path of [this.path, this.about]) rmSync(path, { force: true });
    this.version = {};
  }

  async complete(): Promise<void> {
    const file = await open(this.path, 'r+');
    await file.sync().finally(() => file.close());
    renameSync(this.path, this.whole);
  }

  /** What it is a part of. Where a kill or somebody else has left no sense, it is a part of nothing. */
  private readVersion(): Version {
    try {
      const { validator, total }: Version = JSON.parse(readRegularFile(this.about, ABOUT_BYTES_MAX).toString());
      return { ...(typeof validator === 'string' && { validator }), ...(Number.isSafeInteger(total) && { total }) };
    } catch {
      return {};
    }
  }
}

/** One request for what is missing. @throws Interrupted */
async function fetchRest(of: Download, partial: PartialFile): Promise<void> {
  const { validator } = partial.version;
  const have = validator === undefined ? 0 : partial.bytes;
  const rest = have > 0 ? { range: `bytes=${have}-`, 'if-range': validator! } : undefined;
  const response = await ask(of.url, rest, of.patience?.signal);
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  const ofRange = range === null || range[2] === '*' ? undefined : Number(range[2]);
  if (rest !== undefined && response.status === UNSATISFIABLE && ofRange === have) {
    await response.body?.cancel();
    return;
  }
  if (rest !== undefined && response.status === PARTIAL && isRest(response, range, partial.version, have)) {
    if (ofRange !== undefined) partial.version.total = ofRange;
  } else if (response.status === OK) {
    beginAnew(of, partial, await requireFile(of.url, response));
  } else if (rest !== undefined && [PARTIAL, UNSATISFIABLE].includes(response.status)) {
    await response.body?.cancel();
    partial.remove();
    throw new Interrupted('the file is no longer the one of which a part has come');
  } else throw await refusalOf(of.url, response);
  await heard(() => append(of, partial, response));
  const { total } = partial.version;
  if (total !== undefined && partial.bytes < total)
    throw new Interrupted(`the connection ended after ${partial.bytes} of ${total} bytes`);
}

/** True if a part of a file continues the one that is there. */
function isRest(
  response: Response,
  range: RegExpExecArray | null,
  { validator, total }: Version,
  have: number,
): boolean {
  if (range === null || Number(range[1]) !== have) return false;
  const given = validatorOf(response);
  return (
    (given === undefined || given === validator) &&
    (total === undefined || range[2] === '*' || Number(range[2]) === total)
  );
}

/** By what the server tells versions of the file apart, as conditions of ranges may name it. */
function validatorOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag') ?? undefined;
  if (tag !== undefined && !tag.startsWith('W/')) return tag;
  return headers.get('last-modified') ?? undefined;
}

/** @throws Error for an answer that is a page */
async function requireFile(url: string, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!PAGE.test(type)) return response;
  await response.body?.cancel();
  throw new Error(`${url} cannot be fetched: the server answers with a page (${type}) and not with a file.`);
}

/** @throws Error for a file that is too large, or empty */
function beginAnew({ url, folder, bytesMax = BYTES_MAX }: Download, partial: PartialFile, response: Response): void {
  const length = response.headers.get('content-length');
  const total = length === null ? undefined : Number(length);
  if (total === 0) throw new Error(`${url} is empty.`);
  if (total !== undefined && total > bytesMax) throw tooLarge(url, bytesMax);
  if (total !== undefined) requireRoom(folder, total, `The download of ${url}`);
  const validator = validatorOf(response);
  partial.begin({ ...(validator !== undefined && { validator }), ...(total !== undefined && { total }) });
}

/** Writes what comes behind what is there. @throws Error when the disk is full or the file too large */
async function append(
  { url, folder, bytesMax = BYTES_MAX, onProgress }: Download,
  partial: PartialFile,
  response: Response,
): Promise<void> {
  let file: FileHandle | undefined;
  let done = partial.bytes;
  let looked = done;
  const { total } = partial.version;
  try {
    file = await open(partial.path, 'a', 0o600);
    onProgress(done, total ?? 0);
    for await (const bytes of response.body ?? []) {
      done += bytes.length;
      if (done > (total ?? bytesMax)) {
        partial.remove();
        throw total === undefined ? tooLarge(url, bytesMax) : new Interrupted('more has come than the server said');
      }
      if (done - looked >= ROOM_BYTES) {
        requireRoom(folder, bytes.length, `The download of ${url}`);
        looked = done;
      }
      await file.appendFile(bytes);
      onProgress(done, total ?? 0);
    }
  } finally {
    await file?.close();
  }
}

function tooLarge(url: string, bytesMax: number): Error {
  return new Error(`${url} has more than ${bytesMax.toLocaleString('en')} bytes.`);
}

/** @throws Error when the server has a hash of the file, and it is another one; the file is then removed */
async function requireChecksum({ url, patience }: Download, partial: PartialFile): Promise<void> {
  for (const { suffix, algorithm, pattern } of CHECKSUMS) {
    const beside = new URL(url);
    beside.pathname += suffix;
    const text = await fetchText(beside.href, ABOUT_BYTES_MAX, patience);
    const [wanted] = pattern.exec(text?.split('\n', 1)[0] ?? '') ?? [];
    if (wanted === undefined) continue;
    const hash = createHash(algorithm);
    for await (const bytes of createReadStream(partial.path)) hash.update(bytes);
    if (hash.digest('hex') === wanted.toLowerCase()) return;
    partial.remove();
    throw new Error(
      `${url} is not what ${beside.href} says, and was removed. It may be damaged, or just being replaced: try again.`,
    );
  }
}
