// Writes ZIP archives, right and wrong ones.

import { crc32, deflateRawSync } from 'node:zlib';

interface Entry {
  name: string;
  content: string | Buffer;
  /** Stated instead of the true ones. */
  size?: number;
  crc?: number;
  flags?: number;
  method?: number;
}

const DEFLATED = 8;

export function zipOf(...entries: Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size, crc, flags = 0, method = DEFLATED } of entries) {
    const plain = Buffer.from(content);
    const data = deflateRawSync(plain);
    // From the version needed to the lengths of name and extra field: the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc ?? crc32(plain), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? plain.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, tail, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
