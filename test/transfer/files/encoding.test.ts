// Encodings of tables: how they are told, and that nothing is lost on the way.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTable } from '../../../src/transfer/files/table_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

/** The bytes of a text: of Latin-1, or UTF-16. */
function bytesOf(text: string, name: 'utf8' | 'latin1' | 'utf16le'): Buffer {
  return Buffer.from(text, name);
}

async function read(bytes: Buffer, told?: string) {
  const path = join(temporaryFolder(), 'table.csv');
  writeFileSync(path, bytes);
  const table = await openTable(path, told);
  const rows: string[][] = [];
  for await (const { cells } of table.rows()) rows.push(cells);
  return { ...table, rows };
}

async function written({ encoded }: Awaited<ReturnType<typeof read>>, text: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  async function* texts() {
    yield text;
  }
  for await (const piece of encoded(texts())) pieces.push(piece);
  return Buffer.concat(pieces);
}

const TEXT = 'Kunde;Straße;Ort\nJörg Müller;Mühlenstraße 5;Köln\nAgnès;Äpfelgasse;Zürich\n';
const ROWS = [
  ['Jörg Müller', 'Mühlenstraße 5', 'Köln'],
  ['Agnès', 'Äpfelgasse', 'Zürich'],
];
const bigEndian = (text: string) => bytesOf(text, 'utf16le').swap16();

test.each([
  ['utf-8', bytesOf(TEXT, 'utf8'), false],
  ['utf-8', bytesOf(`\ufeff${TEXT}`, 'utf8'), false],
  ['utf-16le', bytesOf(`\ufeff${TEXT}`, 'utf16le'), false],
  ['utf-16le', bytesOf(TEXT, 'utf16le'), false],
  ['utf-16be', bigEndian(`\ufeff${TEXT}`), false],
  ['windows-1252', bytesOf(TEXT, 'latin1'), true],
] as const)('a table in %s is read, and written again byte by byte', async (name, bytes, isGuessed) => {
  const table = await read(bytes);
  expect(table.encoding).toMatchObject({ name, isGuessed });
  expect([table.header, table.rows]).toEqual([['Kunde', 'Straße', 'Ort'], ROWS]);
  expect(await written(table, TEXT)).toEqual(bytes);
  expect(table.bytesDone()).toBe(bytes.length);
});

test('letters that come late count as those at the beginning', async () => {
  const bytes = bytesOf(`id;Ort\n${'1;Wien\n'.repeat(400_000)}2;München\n3;Köln, Österreich\n4;Straßburg\n`, 'latin1');
  const { encoding, rows } = await read(bytes);
  expect(encoding.name).toBe('windows-1252');
  expect(rows.at(-3)).toEqual(['2', 'München']);
});

test('what can be read in two ways is refused, and the flag decides', async () => {
  const letters: Readonly<Record<string, number>> = { ň: 0xf2, Ž: 0x8e, ž: 0x9e, Č: 0xc8, é: 0xe9, ě: 0xec, á: 0xe1 };
  const czech = ['a,b', 'Plzeň,Žižkova', 'České Budějovice,Pražská'].join('\n');
  const bytes = Buffer.from(Array.from(czech, letter => letters[letter] ?? letter.charCodeAt(0)));
  await expect(read(bytes)).rejects.toThrow(/table\.csv is not UTF-8 and may be .* or .*; name its encoding/);
  expect((await read(bytes, 'windows-1250')).rows).toEqual([
    ['Plzeň', 'Žižkova'],
    ['České Budějovice', 'Pražská'],
  ]);
});

test('bytes that are none of an encoding are an error that names the line, and never a mark in their place', async () => {
  const bytes = bytesOf('a,b\nWien,1\nM\x81nchen,2\n', 'latin1');
  await expect(read(bytes, 'windows-1252')).rejects.toThrow('Line 3 has bytes that are none of windows-1252');
  await expect(read(bytes, 'utf-8')).rejects.toThrow('table.csv is not UTF-8; name its encoding.');
  for (const none of ['klingon', 'base64']) await expect(read(bytes, none)).rejects.toThrow(`${none} is no encoding`);
});

test('the mark that somebody else has put into a table of Unicode stays', async () => {
  expect((await read(bytesOf('a\nM\ufffdnchen\n', 'utf8'))).rows).toEqual([['M\ufffdnchen']]);
});

test('a name that the encoding cannot hold is written in Latin letters', async () => {
  const table = await read(bytesOf(TEXT, 'latin1'));
  expect(table.fitted('Gdańsk, Köln – 東京')).toMatch(/^Gdansk, Köln – \w+$/);
  expect((await read(bytesOf(TEXT, 'utf8'))).fitted('東京')).toBe('東京');
});
