// Another map for the ground of the console, which `--map` names: a file of tiles (PMTiles), of which the page reads
// ranges here, or the address of one elsewhere. Only the configuration names the file; no request does.

import { closeSync, createReadStream, fstatSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MapSetting } from '../../config/map_setting.ts';
import { openRegularFile } from '../../config/regular_file.ts';
import { Refused } from '../transport/refused.ts';

/** Bytes of one answer. Directories and tiles are far smaller. */
const RANGE_BYTES_MAX = 16 * 1_048_576;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/;
/** Where each page reads the file. */
export const MAP_FILE_PATHS = { admin: '/map/file', public: '/console/map/file' } as const;
type Page = keyof typeof MAP_FILE_PATHS;

/** Media type of a file of tiles. */
export const MAP_FILE_TYPE = 'application/vnd.pmtiles';

/** Where a page finds the other map; undefined if the ground is that of the service. */
export function groundUrl(map: MapSetting | undefined, page: Page): string | undefined {
  return map === undefined || 'url' in map ? map?.url : MAP_FILE_PATHS[page];
}

/** The origin that the policy of a page lets in for its tiles; undefined if that is our own. */
export function groundOrigin(map: MapSetting | undefined): string | undefined {
  return map !== undefined && 'url' in map ? new URL(map.url).origin : undefined;
}

/**
 * Sends a range of the file. @param page whose: the public one does not say what the file is called @throws Refused
 * when there is no file, or the range is none of it
 */
export function sendMapFile(
  map: MapSetting | undefined,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): FastifyReply {
  if (map === undefined || 'url' in map) throw new Refused(404, 'There is no file of a map: --map names none.');
  const [, first, last] = RANGE.exec(headers.range ?? '') ?? [];
  if (first === undefined) throw new Refused(400, 'Ask for a range of the file, as in Range: bytes=0-16383.');
  const file = open(map.file, page);
  const { size, mtimeMs } = fstatSync(file);
  const [start, end] = [Number(first), Math.min(Number(last), size - 1)];
  if (start > end || end - start >= RANGE_BYTES_MAX) {
    closeSync(file);
    throw new Refused(416, `The file has ${size} bytes, of which a request takes at most ${RANGE_BYTES_MAX}.`);
  }
  return reply
    .code(206)
    .type(MAP_FILE_TYPE)
    .headers({
      'content-range': `bytes ${start}-${end}/${size}`,
      'content-length': end - start + 1,
      'accept-ranges': 'bytes',
      etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`,
      'cache-control': 'private, no-cache',
    })
    .send(createReadStream(map.file, { fd: file, start, end }));
}

function open(path: string, page: Page): number {
  try {
    return openRegularFile(path);
  } catch (error) {
    const why = page === 'admin' ? `: ${(error as Error).message}` : '';
    throw new Refused(404, `The file of --map cannot be read${why}.`);
  }
}
