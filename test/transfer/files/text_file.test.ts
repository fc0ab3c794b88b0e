import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importFingerprints } from '../../../src/indoor/transfer/fingerprints/import_fingerprints.ts';
import { StationSet } from '../../../src/radio/query/station_set.ts';
import { openText, readText } from '../../../src/transfer/files/text_file.ts';
import { importObservations } from '../../../src/transfer/import_observations.ts';
import { importStations } from '../../../src/transfer/import_stations.ts';
import { readOsmChanges } from '../../../src/transfer/osm_changes.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

type ImportJobKind = 'cells' | 'observations' | 'fingerprints';
const WIGLE_HEADER =
  'MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,' +
  'RCOIs,MfgrId,Type';
const [SURVEY_HEADER] = readFileSync('docs/examples/office_survey.csv', 'utf8').split(/(?<=\n)/);

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

/** A line without an end; `given` counts what was asked for of it. It ends after so many bytes, as nobody may ask. */
function endless(begin: string, piece: string, bytesMax: number): { stdin: Readable; given: () => number } {
  let given = 0;
  async function* pieces() {
    yield Buffer.from(begin);
    const bytes = Buffer.from(piece);
    for (; given < bytesMax; given += bytes.length) yield bytes;
  }
  return { stdin: Readable.from(pieces()), given: () => given };
}

describe('a line without an end', () => {
  const MIB = 1_048_576;

  test('is refused when the limit is reached, in whatever small pieces it comes', async () => {
    const { stdin, given } = endless('a\n', 'x'.repeat(1024), 128 * MIB);
    const text = await readText('the modem', stdin);
    const read = async () => {
      for await (const _ of text.blocks(32 * MIB));
    };
    // To join each piece to those before would move half a terabyte here.
    await expect(read()).rejects.toThrow(
      /^the modem goes on for more than 32 MiB without a line break after line 1\.$/,
    );
    expect(given()).toBeLessThan(33 * MIB);
    expect(stdin.destroyed).toBe(true);
  });

  test('is refused also where it is a few kilobytes of gzip, and where it ends soon after the limit', async () => {
    await expect(linesOf(gzipSync(Buffer.alloc(64 * MIB, 'x')))).rejects.toThrow('for more than 1 MiB without');
    await expect(linesOf(`${'x'.repeat(MIB + 1)}\nb\n`)).rejects.toThrow('for more than 1 MiB without');
    expect(await linesOf(`${'x'.repeat(MIB)}\nb\n`)).toHaveLength(2);
  });

  const ROWS = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n';
  const NETXML = '<?xml version="1.0"?><detection-run><wireless-network><SSID><essid>';
  const STREET = '{"timestamp":1,"position":{"latitude":1,"longitude":';
  const files: [what: string, begin: string, kind: ImportJobKind][] = [
    ['a table of cells', ROWS, 'cells'],
    ['measurements as JSON lines', STREET, 'observations'],
    ['measurements as netxml', NETXML, 'observations'],
    ['a table of measurements', `WigleWifi-1.6,a\n${WIGLE_HEADER}\n`, 'observations'],
    ['walks', '{"wp":[', 'fingerprints'],
    ['a survey', SURVEY_HEADER, 'fingerprints'],
  ];
  test.each(files)('of %s can be left before its limit', async (_, begin, kind) => {
    const { stdin, given } = endless(begin, 'x'.repeat(64 * 1024), 128 * MIB);
    let asked = 0;
    const onProgress = () => {
      // The first time is before anything but the head was read.
      if (++asked > 1 || given() > 0) throw new Error('somebody has cancelled it');
    };
    const job = {
      folder: temporaryFolder(),
      files: ['-'],
      stdin,
      source: 'endless',
      onProgress,
      optedOut: new StationSet(),
    };
    const run = () => {
      if (kind === 'fingerprints') return importFingerprints(job);
      if (kind === 'observations')
        return importObservations({ ...job, append: () => Promise.reject(new Error('none')) });
      return importStations({
        ...job,
        kind,
        withoutImport: () => ({ learned: undefined, record: undefined }),
      });
    };
    await expect(run()).rejects.toThrow('somebody has cancelled it');
    expect(given()).toBeLessThan(MIB);
  });

  test('of changes of the map can be left before its limit, and one that ends within it in its middle', async () => {
    const path = join(temporaryFolder(), 'changes.osc');
    writeFileSync(path, `<osmChange><create>${' '.repeat(8 * MIB)}`);
    const cancel = () => {
      throw new Error('somebody has cancelled it');
    };
    await expect(readOsmChanges(path, () => {}, cancel)).rejects.toThrow('somebody has cancelled it');
    writeFileSync(path, `<osmChange><create>${' '.repeat(8 * MIB)}</create></osmChange>\n`);
    const calls: number[] = [];
    await readOsmChanges(
      path,
      () => {},
      bytes => calls.push(bytes),
    );
    expect(calls.filter(bytes => bytes === calls.at(-1)).length).toBeGreaterThan(8);
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
