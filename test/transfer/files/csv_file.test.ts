import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  openCsv,
  readDay,
  readDecimal,
  readInteger,
  readSamples,
  refusePosition,
} from '../../../src/transfer/files/csv_file.ts';
import { sizeOfFiles } from '../../../src/transfer/files/text_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const NO_STDIN = Readable.from([]);

async function readAll(content: string | Buffer): Promise<(string[] | undefined)[]> {
  const path = join(temporaryFolder(), 'list');
  writeFileSync(path, content);
  const rows: (string[] | undefined)[] = [];
  for await (const block of (await openCsv(path, NO_STDIN)).blocks()) {
    expect(block.firstLine).toBe(rows.length + 1);
    rows.push(...block.rows);
  }
  return rows;
}

describe('rows', () => {
  const ROWS = [['a', 'b'], [''], ['c', 'd']];

  test('come one a line, with any line break, with or without a last one', async () => {
    expect(await readAll('a,b\n\nc,d')).toEqual(ROWS);
    expect(await readAll('a,b\n\nc,d\n')).toEqual(ROWS);
    expect(await readAll('a,b\r\n\r\nc,d\r\n')).toEqual(ROWS);
    expect(await readAll('a,b\r\n\nc,d\n')).toEqual(ROWS);
  });

  test('come without the byte order mark', async () => {
    expect(await readAll('\ufeffa,b\n\nc,d')).toEqual(ROWS);
  });

  test('are inflated by content, whatever the name says, also of joined gzip files', async () => {
    expect(await readAll(gzipSync('a,b\n\nc,d'))).toEqual(ROWS);
    expect(await readAll(Buffer.concat([gzipSync('a,b\n'), gzipSync('\nc,d')]))).toEqual(ROWS);
  });

  test('keep commas, doubled quotes and blanks inside quotes', async () => {
    expect(await readAll('"x, y",1\n"say ""hi""",2\n\n"",3\nin"side,4\n')).toEqual([
      ['x, y', '1'],
      ['say "hi"', '2'],
      [''],
      ['', '3'],
      ['in"side', '4'],
    ]);
  });

  test('a quote that is not closed costs its own line only', async () => {
    expect(await readAll('a,b\n"open,1\nc,d\n"x",2\ne,f')).toEqual([
      ['a', 'b'],
      undefined,
      ['c', 'd'],
      ['x', '2'],
      ['e', 'f'],
    ]);
  });

  test('are whole where blocks meet', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i},${'x'.repeat(i % 40)}`);
    const expected = lines.map(line => line.split(','));
    expect(await readAll(lines.join('\n'))).toEqual(expected);
    expect(await readAll(gzipSync(lines.join('\n')))).toEqual(expected);
  });

  test('come from standard input in chunks of any size', async () => {
    const stdin = Readable.from([Buffer.from([0x61]), Buffer.from(',b\nc'), Buffer.from(',d\n')]);
    const file = await openCsv('-', stdin);
    const rows = [];
    for await (const block of file.blocks()) rows.push(...block.rows);
    expect(file.name).toBe('standard input');
    expect(rows).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(file.bytesRead()).toBe(8);
  });
});

describe('what is no CSV', () => {
  test('an empty file, plain or compressed', async () => {
    await expect(readAll('')).rejects.toThrow('list is empty.');
    await expect(readAll(gzipSync(''))).rejects.toThrow('list is empty.');
  });

  test('binary data', async () => {
    await expect(readAll(Buffer.from('PK\u0003\u0004\u0000\u0000'))).rejects.toThrow(
      'list is not CSV: it holds binary data.',
    );
  });

  test('a gzip file that has lost its end', async () => {
    const whole = gzipSync(Array.from({ length: 5000 }, (_, i) => `${i},${Math.sin(i)}`).join('\n'));
    await expect(readAll(whole.subarray(0, whole.length - 20))).rejects.toThrow(
      'list is a damaged gzip file after line 4,998: unexpected end of file.',
    );
  });

  test('text without line breaks', async () => {
    await expect(readAll('x'.repeat(3_000_000))).rejects.toThrow(
      'list goes on for more than 1 MiB without a line break.',
    );
  });

  test('a file that is missing, or a folder', async () => {
    const folder = temporaryFolder();
    await expect(openCsv(join(folder, 'nothing'), NO_STDIN)).rejects.toThrow('nothing does not exist.');
    await expect(openCsv(folder, NO_STDIN)).rejects.toThrow('is a folder, not a file.');
    expect(() => sizeOfFiles([join(folder, 'nothing')])).toThrow('nothing does not exist.');
  });
});

test('the size of files leaves out standard input', () => {
  const path = join(temporaryFolder(), 'list');
  writeFileSync(path, 'abc');
  expect(sizeOfFiles([path, '-', path])).toBe(6);
});

test('whole numbers are digits and nothing else', () => {
  expect(['0', '-1', '0042', '68719476735'].map(readInteger)).toEqual([0, -1, 42, 68_719_476_735]);
  expect(['', ' ', '1.0', '1e3', '0x10', '+1', 'NaN', '12345678901234567'].map(readInteger)).toEqual(
    Array(8).fill(Number.NaN),
  );
});

test('the empty text is no decimal number', () => {
  expect(['1.5', '-0.25', ' 7 '].map(readDecimal)).toEqual([1.5, -0.25, 7]);
  expect(['', ' ', 'north'].map(readDecimal)).toEqual(Array(3).fill(Number.NaN));
});

test('a day comes from seconds, milliseconds and ISO dates', () => {
  const day = Date.UTC(2024, 1, 29) / 86_400_000;
  const noon = Date.UTC(2024, 1, 29, 12) / 1000;
  expect(
    [`${noon}`, `${noon * 1000}`, '2024-02-29', '2024-02-29 23:59:59', '2024-02-29T23:59:59Z'].map(readDay),
  ).toEqual(Array(5).fill(day));
  expect([undefined, '', '0', '-5', 'yesterday', '2024-99-99', '9999999999999999'].map(readDay)).toEqual(
    Array(7).fill(0),
  );
});

test('samples are at least one', () => {
  expect(['12', '1', '0', '-3', '', 'many', undefined].map(readSamples)).toEqual([12, 1, 1, 1, 1, 1, 1]);
});

test('a position is on the globe and not at null island', () => {
  expect(refusePosition(90, -180)).toBeUndefined();
  expect(refusePosition(0.5, 6.6)).toBeUndefined();
  expect(refusePosition(90.001, 0)).toEqual({ rule: 'position', why: 'the latitude is not a number from -90 to 90' });
  expect(refusePosition(Number.NaN, 0)?.rule).toBe('position');
  expect(refusePosition(50, 180.001)).toEqual({
    rule: 'position',
    why: 'the longitude is not a number from -180 to 180',
  });
  expect(refusePosition(0, 0)?.rule).toBe('null island');
  expect(refusePosition(-0.99, 0.99)?.rule).toBe('null island');
});
