// Draws whole requests for every route: a recorded request of the corpus, changed where clients go wrong. The method,
// the path, the parameters, the body and its compression change; the framing stays right, so that each request has
// exactly one answer (draw_stream.ts breaks the framing). A request depends on the seed and on its number only, so any
// of them can be drawn again by itself.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { SAMPLES } from '../api/dialects/samples.ts';
import { bytesOf, type CorpusRequest } from '../corpus/exchange.ts';
import { ROUTES } from '../corpus/requests/protocol.ts';
import { allSteps } from '../corpus/requests.ts';
import { hash32, uniform } from '../kits/random.ts';
import { drawText, mutate } from './mutate.ts';

/** A request as it is sent. */
export interface DrawnRequest {
  method: string;
  /** With its query, percent-encoded. */
  path: string;
  bytes: Buffer;
}

type Random = () => number;
type Recorded = CorpusRequest & { group: string };

/** Bodies above are sent as they are, and seldom: to change one takes milliseconds. */
const LARGE_BYTES = 32_768;
const LARGE_SHARE = 0.02;
const BODY_SHARE = 0.8;
const PARAMETER_SHARE = 0.4;
const OTHER_PATH_SHARE = 0.05;
const HEADER_SHARE = 0.1;
const PACKED_SHARE = 0.1;
const DAMAGED_SHARE = 0.2;
const BOMB_SHARE = 0.002;

/** Fields that may change what is answered and leave the length of the request alone. */
const HEADERS = [
  'Connection: close',
  'Connection: keep-alive',
  'Accept-Language: de-CH,de;q=0.5,*;q=0',
  'Accept-Language: \xff,;;q=',
  'Accept-Encoding: br',
  'Content-Encoding: identity',
  'Content-Encoding: x',
  'Content-Encoding: gzip',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: ',
  'Origin: https://example.org',
  'X-Forwarded-For: 203.0.113.9, nonsense',
  'X-Forwarded-Proto: https',
  'Forwarded: for=_x;proto=',
  'Via: 1.1 x',
  'Range: bytes=0-1',
  'If-None-Match: *',
  'TE: trailers',
  'Upgrade: websocket',
  `Cookie: ${'x'.repeat(9_000)}`,
  `Cookie: ${'x'.repeat(20_000)}`,
];
const PARAMETERS =
  'key id nr mac lat lon q limit zoom format addressdetails accept-language wifi osm_ids countrycodes viewbox bounded lang osm_tag layer address latlng components bounds place_id mcc cellid cells confidence exclude_place_ids BBOX offset radio polygon_text polygon_threshold __proto__ constructor'.split(
    ' ',
  );
/** Routes that the corpus does not record. */
const UNRECORDED: readonly CorpusRequest[] = [
  { method: 'GET', path: '/trail?key={{key:main}}&mac=02:00:5e:00:00:d3' },
  { method: 'GET', path: '/trail?key={{key:main}}' },
];
/** A group for each dialect. */
const OF_DIALECTS: readonly Recorded[][] = Object.values(SAMPLES).map(samples =>
  samples.flatMap(({ method, path, body, keyInBody }) =>
    [body, keyInBody?.('{{key:listing}}')].map(sent => ({
      method,
      path: `/k/{{key:listing}}${path}`,
      ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
      group: `${method} ${path.split('?', 1)[0]}`,
    })),
  ),
);
const PACKERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
type Packing = keyof typeof PACKERS;
const PACKINGS = Object.keys(PACKERS) as Packing[];
/** Framing is not drawn here. */
const FRAMING = /^(?:content-length|transfer-encoding|expect|connection|host)$/i;

/** Bodies that are small as sent and large inflated. */
const BOMBS = ['[', '{"a":', ' ', '{},', '\0'].map(piece => {
  const bytes = Buffer.alloc(4_194_304, piece);
  return Buffer.concat([Buffer.from('{"wifiAccessPoints":['), bytes]);
});

/** Draws requests by their number. */
export class RequestSource {
  private readonly seed: number;
  private readonly fill: (text: string) => string;
  private readonly groups: Recorded[][];
  private readonly bodies: Buffer[];
  private bombs: Buffer[] | undefined;

  /** @param fill puts values in the place of placeholders @param isOfDialects draws requests of dialects alone */
  constructor(seed: number, fill: (text: string) => string, isOfDialects = false) {
    this.seed = seed;
    this.fill = fill;
    const recorded = [...allSteps()].flatMap(step =>
      step === 'aggregate' || step.raw !== undefined ? [] : [{ ...step, group: groupOf(step) }],
    );
    this.groups = isOfDialects
      ? [...OF_DIALECTS]
      : [
          ...Map.groupBy(recorded, ({ group }) => group).values(),
          UNRECORDED.map(request => ({ ...request, group: 'unrecorded' })),
          ...OF_DIALECTS,
        ];
    this.bodies = [...recorded, ...OF_DIALECTS.flat()].flatMap(({ body }) =>
      body === undefined || body.length === 0 || body.length > LARGE_BYTES
        ? []
        : [Buffer.from(typeof body === 'string' ? fill(body) : body)],
    );
  }

  /** The request of a number. */
  draw(number: number): DrawnRequest {
    const random = uniform(hash32(this.seed, number, 0));
    const recorded = this.pickRecorded(random);
    const { method } = recorded;
    const path = this.drawPath(recorded.path, random);
    const { body, packing } = this.drawBody(recorded, random);
    const lines = linesOf(recorded).filter(line => packing === undefined || !line.startsWith('content-encoding:'));
    if (packing !== undefined) lines.push(`content-encoding: ${packing}`);
    if (random() < HEADER_SHARE) lines.push(pick(random, HEADERS));
    return write(method, path, lines, body);
  }

  /** The request of a number as it was recorded. */
  recorded(number: number): DrawnRequest {
    const recorded = this.pickRecorded(uniform(hash32(this.seed, number, 1)));
    return write(recorded.method, encode(this.fill(recorded.path)), linesOf(recorded), bytesOf(recorded, this.fill));
  }

  private pickRecorded(random: Random): Recorded {
    for (;;) {
      const recorded = pick(random, pick(random, this.groups));
      if ((recorded.body?.length ?? 0) <= LARGE_BYTES || random() < LARGE_SHARE) return recorded;
    }
  }

  /** The path with other parameters, or another path with its own. */
  private drawPath(recorded: string, random: Random): string {
    const [target, query = ''] = this.fill(recorded).split(/\?(.*)/s, 2);
    const path = random() < OTHER_PATH_SHARE ? this.fill(pick(random, Object.keys(ROUTES))) : target;
    const pairs = query === '' ? [] : query.split('&');
    while (random() < PARAMETER_SHARE) changeParameters(pairs, random);
    const whole = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
    return encode(whole);
  }

  private drawBody(recorded: Recorded, random: Random): { body: Buffer | undefined; packing: Packing | undefined } {
    if (recorded.method === 'POST' && random() < BOMB_SHARE) {
      this.bombs ??= BOMBS.map(bytes => gzipSync(bytes));
      return { body: pick(random, this.bombs), packing: 'gzip' };
    }
    const whole = bytesOf({ ...recorded, packing: undefined as never }, this.fill);
    if (whole === undefined) return { body: undefined, packing: undefined };
    let body: Buffer = whole;
    if (body.length <= LARGE_BYTES && random() < BODY_SHARE) body = mutate(body, random, this.bodies);
    if (random() >= PACKED_SHARE) return { body, packing: undefined };
    const packing = pick(random, PACKINGS);
    body = PACKERS[packing](body);
    return { body: random() < DAMAGED_SHARE ? damage(body, random) : body, packing };
  }
}

function write(method: string, path: string, lines: readonly string[], body: Buffer | undefined): DrawnRequest {
  const length = body === undefined ? [] : [`content-length: ${body.length}`];
  const head = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...lines, ...length, '', ''].join('\r\n');
  return { method, path, bytes: Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]) };
}

/** The recorded header, without what frames a request. */
function linesOf({ headers = {} }: CorpusRequest): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    FRAMING.test(name) ? [] : [`${name.toLowerCase()}: ${value}`],
  );
}

/** Percent-encodes what may not stand in an address. */
function encode(address: string): string {
  return address.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);
}

/** Requests of one method and path are a group; those of unknown paths and methods are one. */
function groupOf({ method, path }: CorpusRequest): string {
  const plain = path.split('?', 1)[0];
  return ROUTES[plain]?.includes(method) ? `${method} ${plain}` : 'other';
}

/** Adds, drops, doubles or renames a parameter, or gives it another value. */
function changeParameters(pairs: string[], random: Random): void {
  const at = Math.floor(random() * pairs.length);
  const value = encodeURIComponent(drawText(random)).replaceAll('%2C', ',');
  const how = Math.floor(random() * 6);
  if (how === 0 || pairs.length === 0) pairs.push(`${pick(random, PARAMETERS)}=${value}`);
  else if (how === 1) pairs.splice(at, 1);
  else if (how === 2) pairs.splice(at, 0, pairs[Math.floor(random() * pairs.length)]);
  else if (how === 3) pairs[at] = `${pick(random, PARAMETERS)}=${pairs[at].split(/=(.*)/s)[1] ?? ''}`;
  else if (how === 4)
    pairs[at] =
      pairs[at].slice(0, Math.floor(random() * pairs[at].length)) +
      pick(random, ['%', '%00', '%ff', '+', '=', ';', '%2e%2e%2f']);
  else pairs[at] = `${pairs[at].split('=', 1)[0]}=${value}`;
}

/** Flips a bit, or drops the end. */
function damage(bytes: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * bytes.length);
  if (random() < 0.5) return bytes.subarray(0, at);
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] ^= 1 << Math.floor(random() * 8);
  return copy;
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)];
}
