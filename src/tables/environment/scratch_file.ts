// Files for what has no room in memory while something is built. They lose their names at once: an open file needs no
// name, and a kill then leaves nothing behind.

import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'scratch';

/** A file that is appended to and read anywhere. */
export class ScratchFile {
  /** Bytes so far. */
  bytes = 0;
  private file: number | undefined;

  /** @param folder existing, on the disk that has room */
  constructor(folder: string) {
    const path = join(folder, NAME);
    this.file = openSync(path, 'wx+');
    unlinkSync(path);
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.file!, bytes, done, bytes.length - done, this.bytes + done);
    this.bytes += bytes.length;
  }

  /** Reads from a position on, as much as `into` holds. @returns how much was there */
  read(into: Uint8Array, position: number): number {
    let bytes = 0;
    for (let read = -1; read !== 0 && bytes < into.length; bytes += read)
      read = readSync(this.file!, into, bytes, into.length - bytes, position + bytes);
    return bytes;
  }

  /** Gives the disk back; may be called twice. */
  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

/** The scratch files of one work, to be closed together. */
export class ScratchFiles {
  private readonly folder: string;
  private readonly files: ScratchFile[] = [];

  /** @param folder existing */
  constructor(folder: string) {
    this.folder = folder;
  }

  open(): ScratchFile {
    const file = new ScratchFile(this.folder);
    this.files.push(file);
    return file;
  }

  close(): void {
    for (const file of this.files.splice(0)) file.close();
  }
}
