import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openObservations } from '../../../src/transfer/formats/observation_file.ts';
import { fileOf, readFile } from './read_file.ts';
import { zipOf } from './zip_of.ts';

const NO_STDIN = Readable.from([]);

test('files that are none of the formats are refused', async () => {
  await expect(readFile('')).rejects.toThrow('file is empty.');
  await expect(readFile('bssid,lat,lon\n')).rejects.toThrow('file is not a file of measurements that Sextant knows');
  await expect(readFile(Buffer.from([0, 1, 2, 3]))).rejects.toThrow(
    'file is not a file of measurements that Sextant knows',
  );
});

test('lists of cells are sent to the command that takes them', async () => {
  await expect(readFile('4G;206;01;13;251;141311;270;50.2;4.35;Mill;1\n')).rejects.toThrow(
    'file is a list of cells with their places (NetMonster), not of measurements: use import cells.',
  );
});

test('indoor walks need their floor plan', async () => {
  await expect(readFile('{"id":"1","wp":[[1574572522291,208.8,216.7]],"wifi":[]}\n')).rejects.toThrow(
    'metres of a floor plan',
  );
});

test('a gzip file that has lost its end is read up to there', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) =>
    JSON.stringify({ lat: Math.sin(i) * 80, lon: Math.cos(i) * 80, cells: [] }),
  );
  const whole = gzipSync(lines.join('\n'));
  await expect(readFile(whole.subarray(0, whole.length - 9))).rejects.toThrow(
    /file is a damaged gzip file after line [\d,]{5,}: unexpected end of file\./,
  );
});

test('a format that is named must be that of the file', async () => {
  const path = fileOf('{"items":[]}\n');
  await expect(openObservations(path, NO_STDIN, 'wigle')).rejects.toThrow('file is not wigle, but geosubmit.');
  const file = await openObservations(path, NO_STDIN, 'geosubmit');
  file.close();
  expect(file.format).toBe('geosubmit');
});

test('standard input may be any text, but no archive', async () => {
  const file = await openObservations('-', Readable.from([gzipSync('{"t":1,"lat":1,"lon":1,"aps":[]}\n')]));
  const found = [];
  for await (const some of file.drafts(() => {})) found.push(...some);
  expect(found).toMatchObject([{ file: 'standard input', line: 1 }]);
  await expect(openObservations('-', Readable.from([zipOf()]))).rejects.toThrow(
    'it cannot be read from standard input; name the file.',
  );
});

test('the mark is equal for the same file under another name, and after rows were appended', async () => {
  const mark = async (text: string | Buffer) => {
    const file = await openObservations(fileOf(text), NO_STDIN);
    file.close();
    return file.mark;
  };
  const rows = [
    '{"lat":1,"lon":1,"aps":[]}',
    '{"lat":1,"lon":2,"aps":[]}',
    '{"lat":1,"lon":3,"aps":[]}',
    '{"lat":1,"lon":4,"aps":[]}',
  ];
  const first = await mark(`${rows.slice(0, 3).join('\n')}\n`);
  expect(await mark(gzipSync(rows.join('\n')))).toBe(first);
  expect(await mark(rows.slice(1).join('\n'))).not.toBe(first);
});

test('bytes read reach the size of the file, whatever its format', async () => {
  const zip = zipOf({ name: 'wifis.csv', content: 'timestamp,latitude,longitude\n1,2,3\n' });
  for (const content of [zip, gzipSync('{"lat":1,"lon":1,"aps":[]}\n')]) {
    const file = await openObservations(fileOf(content), NO_STDIN);
    for await (const _ of file.drafts(() => {}));
    file.close();
    expect(file.bytesRead()).toBe(content.length);
  }
});
