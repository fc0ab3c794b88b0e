// The encoding of a text file. Unicode says of itself what it is: by a byte order mark, by bytes that are UTF-8, or by
// every other byte being zero. Other encodings are told from each other by how often their letters come, as languages
// have them; so a few short lines can be read in two ways. Then nothing is guessed: whoever has the file says it.

import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import anyAscii from 'any-ascii';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import type { TableSource } from './table_source.ts';

/** How the text of a file is written. */
export interface Encoding {
  /** In lower case: `utf-8`, `windows-1252`. */
  name: string;
  /** The file begins with a byte order mark. */
  hasMark: boolean;
  /** It is guessed by the letters. */
  isGuessed: boolean;
}

const UTF_8 = 'utf-8';
/** Lines with letters other than ASCII by which an encoding is guessed. */
const SAMPLE_BYTES = 65_536;
/** A guess below this says nothing; and the best must be better than the next by this factor. */
const CONFIDENCE_MIN = 15;
const AHEAD = 1.2;
/** Most texts are of Western languages: a guess of theirs counts for a little more. */
const WESTERN = 'windows-1252';
const WESTERN_FACTOR = 1.2;
/** Browsers and spreadsheets mean the larger one by the name of the smaller one. */
const LARGER: Readonly<Record<string, string>> = { 'iso-8859-1': WESTERN, 'iso-8859-9': 'windows-1254' };
const MARKS: readonly (readonly [name: string, mark: readonly number[]])[] = [
  [UTF_8, [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** What the library can do besides encodings of text. */
const NO_ENCODINGS = ['base64', 'hex'];
const REPLACEMENT = '\ufffd';

/** What a file begins with and holds. */
interface Sample {
  head: Buffer;
  isUtf8: boolean;
  /** Lines with letters other than ASCII. */
  lines: Buffer;
}

/** Whether a name is that of an encoding that can be read and written. */
function isEncoding(name: string): boolean {
  return iconv.encodingExists(name) && !NO_ENCODINGS.includes(name.toLowerCase());
}

/**
 * The encoding of a file, which is read once.
 * @param told its name, from whoever has it
 * @throws Error when the file cannot be read, or its encoding cannot be told, or is not what it is said to be
 */
export async function encodingOf(source: TableSource, told?: string): Promise<Encoding> {
  const { name: path } = source;
  if (told !== undefined && !isEncoding(told))
    throw new Error(`${told} is no encoding that is known; name one such as utf-8 or windows-1252.`);
  const sample = await sampleOf(source).catch(error => {
    throw new Error(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  });
  const marked = MARKS.find(([, mark]) => mark.every((byte, i) => sample.head[i] === byte))?.[0];
  const unicode = marked ?? wideName(sample.head) ?? (sample.isUtf8 ? UTF_8 : undefined);
  if (told === undefined && unicode !== undefined)
    return { name: unicode, hasMark: marked !== undefined, isGuessed: false };
  if (told === undefined && sample.head.includes(0)) throw new Error(`${path} is no table: it holds binary data.`);
  if (told === undefined) return { name: guessed(path, sample.lines), hasMark: false, isGuessed: true };
  const said = told.toLowerCase().replace(/^utf-?(8|16)/, 'utf-$1');
  const name = said === 'utf-16' ? (unicode?.startsWith(said) ? unicode : 'utf-16le') : said;
  if (name === UTF_8 && !sample.isUtf8) throw new Error(`${path} is not UTF-8; name its encoding.`);
  return { name, hasMark: marked === name, isGuessed: false };
}

async function sampleOf(source: TableSource): Promise<Sample> {
  const decoder = new TextDecoder(UTF_8, { fatal: true });
  let head: Buffer | undefined;
  let isUtf8 = true;
  const lines: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of (await source.open(() => {})) as AsyncIterable<Buffer>) {
    head ??= chunk.subarray(0, SAMPLE_BYTES);
    isUtf8 &&= decodes(decoder, chunk);
    if (bytes >= SAMPLE_BYTES && !isUtf8) break;
    if (bytes >= SAMPLE_BYTES || isAscii(chunk)) continue;
    // Latin-1 has a letter for each byte.
    for (const [line] of chunk.toString('latin1').matchAll(/[^\n]*[\x80-\xff][^\n]*\n?/g)) {
      lines.push(Buffer.from(line, 'latin1'));
      bytes += line.length;
      if (bytes >= SAMPLE_BYTES) break;
    }
  }
  isUtf8 &&= decodes(decoder);
  return { head: head ?? Buffer.alloc(0), isUtf8, lines: Buffer.concat(lines).subarray(0, SAMPLE_BYTES) };
}

/** @param chunk the next bytes; none at the end */
function decodes(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false; // that is the question
  }
}

/** UTF-16 without a mark: every other byte of most letters is zero. */
function wideName(head: Buffer): string | undefined {
  const zeros = [0, 0];
  for (let i = 0; i < head.length; i++) if (head[i] === 0) zeros[i & 1]++;
  const [even, odd] = zeros;
  if (odd > head.length / 4 && even * 10 < odd) return 'utf-16le';
  return even > head.length / 4 && odd * 10 < even ? 'utf-16be' : undefined;
}

/** @throws Error when two readings are as likely, or none */
function guessed(path: string, lines: Buffer): string {
  const readings = analyse(lines)
    .map(({ name, confidence }) => ({ name: LARGER[name.toLowerCase()] ?? name.toLowerCase(), confidence }))
    .filter(({ name }) => isEncoding(name))
    .map(({ name, confidence }) => ({
      name,
      rating: name === WESTERN ? confidence * WESTERN_FACTOR : confidence,
      text: iconv.decode(lines, name),
    }))
    .filter(({ text }) => !text.includes(REPLACEMENT))
    .toSorted((a, b) => b.rating - a.rating);
  const [best] = readings;
  const next = readings.find(({ text }) => text !== best.text);
  if (best !== undefined && best.rating >= CONFIDENCE_MIN && best.rating >= AHEAD * (next?.rating ?? 0))
    return best.name;
  const names = [best, next].filter(each => each !== undefined).map(({ name }) => name);
  throw new Error(
    `${path} is not UTF-8${names.length === 0 ? '' : ` and may be ${names.join(' or ')}`}; name its encoding, as ` +
      'windows-1252 (Excel in the West) or windows-1250.',
  );
}

/** The bytes of a file as UTF-8. */
export async function* asUtf8(bytes: Readable, { name }: Encoding): AsyncGenerator<Buffer> {
  if (name === UTF_8) {
    yield* bytes as AsyncIterable<Buffer>;
    return;
  }
  const decoder = iconv.getDecoder(name);
  for await (const chunk of bytes as AsyncIterable<Buffer>) yield Buffer.from(decoder.write(chunk));
  yield Buffer.from(decoder.end() ?? '');
}

/** Whether bytes were read that are none of the encoding; Unicode has a mark for such bytes that files may hold. */
export function hasForeignBytes(text: string, { name }: Encoding): boolean {
  return !name.startsWith('utf-') && text.includes(REPLACEMENT);
}

/** Texts in an encoding, with the mark that the file had. */
export async function* inEncoding(texts: AsyncIterable<string>, { name, hasMark }: Encoding): AsyncGenerator<Buffer> {
  if (hasMark) yield iconv.encode('\ufeff', name);
  for await (const text of texts) yield iconv.encode(text, name);
}

/** A text with what the encoding cannot hold in Latin letters. */
export function fitted(text: string, { name }: Encoding): string {
  const holds = (part: string) => iconv.decode(iconv.encode(part, name), name) === part;
  return holds(text) ? text : Array.from(text, part => (holds(part) ? part : anyAscii(part))).join('');
}
