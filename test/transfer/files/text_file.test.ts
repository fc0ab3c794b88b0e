import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openText, readText } from '../../../src/transfer/files/text_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

async function linesOf(content: string | Buffer, lineBytesMax?: number): Promise<string[]> {
  const path = join(temporaryFolder(), 'text');
  writeFileSync(path, content);
  const lines: string[] = [];
  for await (const block of (await openText(path, Readable.from([]))).blocks(lineBytesMax)) {
    expect(block.firstLine).toBe(lines.length + 1);
    lines.push(...block.lines);
  }
  return lines;
}

describe('lines', () => {
  test('end with any line break, the last one also without', async () => {
    expect(await linesOf('a\r\nb\n\nc')).toEqual(['a', 'b', '', 'c']);
    expect(await linesOf(gzipSync('\ufeffa\nb\n'))).toEqual(['a', 'b']);
  });

  test('may be as long as the caller allows', async () => {
    const long = 'x'.repeat(3 * 1_048_576);
    expect(await linesOf(`a\n${long}\nb\n`, 4 * 1_048_576)).toEqual(['a', long, 'b']);
    await expect(linesOf(`a\n${long}\nb\n`)).rejects.toThrow(
      /text goes on for more than 1 MiB without a line break after line 1\.$/,
    );
  });

  test('of the head are whole, unless the file ends there', async () => {
    const open = (text: string) => readText('a stream', Readable.from([Buffer.from(text)]));
    expect((await open('a\nb')).headLines).toEqual(['a', 'b']);
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i}`);
    const { headLines } = await open(rows.join('\n'));
    expect(headLines).toEqual(rows.slice(0, headLines.length));
  });
});

test('a stream that breaks is named, with the last line that came through', async () => {
  async function* breaking() {
    yield Buffer.from(`${'line\n'.repeat(20_000)}`);
    throw new Error('the cable is cut');
  }
  const text = await readText('the modem', Readable.from(breaking()));
  const read = async () => {
    for await (const _ of text.blocks());
  };
  await expect(read()).rejects.toThrow(/^the modem cannot be read after line 20,000: the cable is cut\.$/);
});
