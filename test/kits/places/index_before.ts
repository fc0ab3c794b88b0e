// The index of a layer as versions before wrote it (tables/environment/loaded_sections.ts).

import { crc32 } from 'node:zlib';

const HEADER_BYTES = 32;
const DIRECTORY_ROOM = 992;
const ALIGNMENT = 64;

/** The file of these sections. */
export function indexBefore(sections: ReadonlyMap<string, Uint8Array>): Buffer {
  let start = HEADER_BYTES + DIRECTORY_ROOM;
  const parts: Buffer[] = [];
  const directory = [...sections].map(([name, bytes]) => {
    const padded = Buffer.alloc(Math.ceil(bytes.length / ALIGNMENT) * ALIGNMENT);
    padded.set(bytes);
    parts.push(padded);
    start += padded.length;
    return { name, start: start - padded.length, bytes: bytes.length, crc: crc32(bytes) };
  });
  const text = Buffer.from(JSON.stringify(directory));
  const head = Buffer.alloc(HEADER_BYTES + DIRECTORY_ROOM);
  head.write('SXSECTS\n', 'latin1');
  head.writeUInt32LE(1, 8);
  head.writeUInt32LE(text.length, 12);
  head.writeDoubleLE(start, 16);
  head.writeUInt32LE(crc32(text), 24);
  text.copy(head, HEADER_BYTES);
  return Buffer.concat([head, ...parts]);
}
