// Reads a ZIP archive by its central directory. The stated size and CRC-32 of each entry are checked while it inflates,
// and stated sizes are bounded, so a small file that unpacks to a vast one is refused before its first byte.

import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

const ENTRIES_MAX = 1_000;
/** All entries together, unless more is said: some forty million rows. */
const INFLATED_BYTES_MAX = 4 * 1024 ** 3;

/** An open archive. */
interface Archive {
  /** Of the file. */
  bytes: number;
  entries: ArchiveEntry[];
  close(): void;
}

/** One file of an archive. */
export interface ArchiveEntry {
  /** Path inside the archive. */
  name: string;
  /** With the archive's path, as in messages. */
  fullName: string;
  inflatedBytes: number;
  /** Its content. The stream fails at the end of a damaged entry at the latest. */
  open(): Promise<Readable>;
}

/**
 * Opens an archive and reads its directory.
 * @param bytesMax of all its files
 * @throws Error when the file is no archive, is damaged, or states more than the bounds
 */
export async function openArchive(path: string, bytesMax = INFLATED_BYTES_MAX): Promise<Archive> {
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(path, { autoClose: false });
    return await readDirectory(path, zip, bytesMax);
  } catch (error) {
    zip?.close();
    throw new Error(`${path} cannot be read as a ZIP archive: ${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

async function readDirectory(path: string, zip: ZipFile, bytesMax: number): Promise<Archive> {
  if (zip.entryCount > ENTRIES_MAX)
    throw new Error(`it lists ${zip.entryCount} files, and at most ${ENTRIES_MAX} are read`);
  const entries: ArchiveEntry[] = [];
  let inflatedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    inflatedBytes += entry.uncompressedSize;
    entries.push(archiveEntry(path, zip, entry));
  }
  if (inflatedBytes > bytesMax) throw new Error(`its files would take more than ${bytesMax / 1024 ** 3} GiB`);
  return { bytes: statSync(path).size, entries, close: () => zip.close() };
}

function archiveEntry(path: string, zip: ZipFile, entry: Entry): ArchiveEntry {
  const fullName = `${path}/${entry.fileName}`;
  return {
    name: entry.fileName,
    fullName,
    inflatedBytes: entry.uncompressedSize,
    async open() {
      try {
        return Readable.from(checked(await zip.openReadStreamPromise(entry), entry.crc32), { objectMode: false });
      } catch (error) {
        throw new Error(`${fullName} cannot be read: ${(error as Error).message}.`);
      }
    },
  };
}

async function* checked(content: Readable, stated: number): AsyncGenerator<Buffer> {
  let sum = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== stated) throw new Error('its CRC-32 is not what the archive states');
}
