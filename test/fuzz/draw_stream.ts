// Draws what a client sends over one connection: one to four requests, most of them of the plain form, others with a fault or a rarity of HTTP, cut into pieces
// anywhere, and then an end, a break or silence.

import type { Dice } from '../corpus/dice.ts';
import { bytesOf } from '../corpus/exchange.ts';
import { allSteps } from '../corpus/requests.ts';

/** One piece of a stream. */
export interface Piece {
  bytes: Buffer;
  /** The server may run before the next piece arrives. */
  isPause: boolean;
  /** A request ends here, as it was drawn. */
  isLast: boolean;
}

/** A stream, and what the client does behind it: it ends its side, breaks the connection, or waits. */
export interface DrawnStream {
  pieces: Piece[];
  last: 'end' | 'break' | 'wait';
  /** Some request may arrive before the one in front of it is answered. */
  isHasty: boolean;
  /** Some answer takes another thread. */
  isSlow: boolean;
}

const CORPUS_BODIES = 300;
const CORPUS_BODY_BYTES = 1_024;
const DEMO_BODIES = ['d3', 'd4', 'd5', 'd6'].flatMap((end, i, ends) => [
  `{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:${end}"},{"macAddress":"02:00:5e:00:00:${ends[(i + 1) % 4]}"}]}`,
  `{"wifiAccessPoints":[{"macAddress":"02:00:5e:00:00:${end}","signalStrength":-${50 + i}},{"macAddress":"02:00:5e:00:00:d7"}],"comment":"Zürich"}`,
]);
const BROKEN_BODIES = [
  '{',
  '[]',
  '"x"',
  'null',
  ' ',
  '{"wifiAccessPoints":5}',
  '{"__proto__":1}',
  '\ufeff{}',
  `${'['.repeat(70)}${']'.repeat(70)}`,
];

/** Of a head, lines that change nothing. */
const PLAIN_LINES = [
  'Host: localhost',
  'host: example.org:8080',
  'User-Agent: okhttp/4.12.0',
  'Accept: */*',
  'accept: application/json, text/plain;q=0.9',
  'Accept-Encoding: gzip, deflate, br',
  'Accept-Language: de-CH,de;q=0.5',
  'Content-Type: application/json',
  'CONTENT-TYPE: text/plain;',
  'Content-type:x/y',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'Cache-Control: no-cache',
  'X-Forwarded-For: 203.0.113.9, 10.0.0.1',
  'X-Real-IP: nonsense',
  'Referer:',
  'Origin:    null   ',
  'Priority: u=1',
  'X-API-Key: unlimited',
  'x-api-key: null',
  'X-Api-Key:',
  'X-API-KEY:   unknown',
  'Authorization: Bearer sx_bearer',
  'authorization: bearer   sx_bearer',
  'Authorization: Bearer of a proxy',
  'Authorization: Basic c3hfOnN4Xw==',
];

/** Of a head, lines that may change something, or are none. */
const ODD_LINES = [
  'Connection: close',
  'connection: close, keep-alive',
  'Connection: keep-alive, close',
  'Connection: upgrade',
  'Connection:',
  'Connection: keep-alive,',
  'Connection: keep-alive\t',
  'Connection: keep-alive ',
  'Upgrade: h2c',
  'Transfer-Encoding: chunked',
  'transfer-encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding : chunked',
  'Expect: 100-continue',
  'Expect: the unexpected',
  'Content-Encoding: gzip',
  'Content-Encoding: identity',
  'Content-Encoding:',
  'Content-Encoding: x',
  'Content-Length: 2',
  'Content-Length: 0',
  'content-length: +5',
  'content-length: 0x5',
  'content-length: 5, 5',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'content-length : 5',
  'Content_Length: 5',
  'content\rlength: 5',
  'TE: trailers',
  'Trailer: x',
  'X-Unknown: 1',
  'X-API-Key: unlimited ',
  'X-API-Key: unlimited\t',
  'Authorization: Bearer sx_bearer ',
  'Authorization: Bearer\tsx_bearer',
  'X-High: \xfc',
  'X-Nul: a\0b',
  'Host: a\0b',
  'Host: a\tb',
  'Host: \xfc',
  'Host: a\x7fb',
  ' Folded: line',
  '\tfolded',
  ': no name',
  'No colon',
  'Host : space before the colon',
  'Ho st: x',
  'Host:\r x',
  'Host: a\rb',
  'Host: a\nb: c',
  'Proxy-Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'Cookie: a=b; c=d',
  `Cookie: ${'x'.repeat(7_000)}`,
  `Cookie: ${'x'.repeat(20_000)}`,
];
const MANY_LINES = [70, 1_000, 2_600];

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'post', 'POST ', 'PRI', 'CONNECT', 'FETCH', '\r\nPOST', '\nPOST', ' POST'];
const VERSIONS = ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', 'HTTP/11', '', 'ICE/1.0', ' HTTP/1.1'];
const TARGETS = [
  '*',
  'http://localhost/?key={key}',
  '//?key={key}',
  '/%2f?key={key}',
  '/%',
  '/#?key={key}',
  '/?key={key}#fragment',
  '/?key={key}&key=other',
  '/?key=other&key={key}',
  '/?key={key}&id=a%20b+c&nr=7',
  '/?key={key}&id=%C3%BC%E2%82%AC&nr=-1',
  '/?key={key}&id=%ff',
  '/?key={key}&id=%zz',
  '/?key={key}&id=%',
  '/?key={key}&id=%00',
  '/?key={key}&id=%2B%26%3D',
  '/?key={key}&nr=1e3',
  '/?key={key}&nr=99999999999',
  '/?key={key}&id=123456789012345678901234567890',
  '/?key={key}&x=1=2',
  '/?key={key}&=5&a',
  '/?key={key}&&',
  '/?&key={key}',
  '/?%6bey={key}',
  '/?KEY={key}',
  '/?key={key};nr=5',
  '/?key={key}&__proto__=1&constructor=2',
  '/?',
  '/??key={key}',
  '/;a?key={key}',
  '/v1/geolocate/?key={key}',
  '/V1/geolocate?key={key}',
  '/v1//geolocate?key={key}',
  '/v1/geolocat?key={key}',
  '/v1/geolocate2?key={key}',
  '/k/{key}/reverse?lat=1.25&lon=-2.5',
  '/v1/country?key={key}',
  '/search?q=x&key={key}',
  '/?key={key}&id=\xfc',
  '/?key={key}&id=a b',
  '/?key={key}&id=a\tb',
  '/?key={key}&id=a\0b',
  '/?key={key}&id="<>[]^`{|}\\~',
  'key={key}',
  '',
];

/** Draws streams. */
export class StreamSource {
  private readonly dice: Dice;
  private readonly keys: readonly string[];
  private readonly bodies: Buffer[];

  /** @param keys percent-encoded; the first is the most frequent */
  constructor(dice: Dice, keys: readonly string[]) {
    this.dice = dice;
    this.keys = keys;
    this.bodies = [...DEMO_BODIES.map(text => Buffer.from(text)), ...corpusBodies()];
  }

  draw(): DrawnStream {
    const { dice } = this;
    const requests: Buffer[] = [];
    let isSlow = false;
    // Nothing follows a request that takes another thread, and none is damaged: when it is done, nobody knows.
    for (let left = dice.whole(1, 4); left > 0 && !isSlow; left--) {
      const request = this.request();
      isSlow = /content-encoding/i.test(request.toString('latin1'));
      requests.push(request);
    }
    const isPipelined = dice.chance(0.1);
    const texts = isPipelined ? [Buffer.concat(requests)] : requests;
    const pieces = texts.flatMap(bytes => this.cut(!isSlow && dice.chance(0.05) ? this.damage(bytes) : bytes));
    const last = isSlow ? 'wait' : dice.pick(['end', 'end', 'wait', 'wait', 'break'] as const);
    return { pieces, last, isHasty: pieces.some(({ isPause }) => !isPause), isSlow };
  }

  private request(): Buffer {
    const { dice } = this;
    const oddity = dice.chance(0.35) ? dice.whole(1, 6) : 0;
    const key = dice.chance(0.7) ? this.keys[0] : dice.pick(this.keys);
    const method = oddity === 1 ? dice.pick(METHODS) : 'POST';
    const version = oddity === 2 ? dice.pick(VERSIONS) : 'HTTP/1.1';
    const path = dice.chance(0.8) ? '/' : dice.pick(['/v1/geolocate', '/geolocation/v1/geolocate']);
    const query = dice.chance(0.8) ? '?key={key}' : dice.pick(['', '?key={key}&id=bus%2012&nr=5', '?nr=17&key={key}', '?key={key}&x=1']);
    const target = (oddity === 3 ? dice.pick(TARGETS) : path + query).replaceAll('{key}', key);
    const body = oddity === 4 ? Buffer.from(dice.pick(BROKEN_BODIES)) : dice.pick(this.bodies);
    const lines = Array.from({ length: dice.whole(0, 5) }, () => dice.pick(PLAIN_LINES));
    const lengthName = dice.pick(['Content-Length', 'content-length', 'CONTENT-LENGTH']);
    lines.splice(dice.whole(0, lines.length), 0, `${lengthName}:${dice.pick([' ', ' ', ' ', '', '  '])}${this.length(body, oddity === 5)}`);
    if (oddity === 6) this.addOddLine(lines);
    const end = dice.chance(0.98) ? '\r\n' : dice.pick(['\n', '\r', '\r\r\n']);
    const head = [`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n').replace('\r\n', end);
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  }

  /** The length as sent: true, or said in a way that may or may not mean it. */
  private length(body: Buffer, isOdd: boolean): string {
    const { length } = body;
    if (!isOdd) return String(length);
    const { dice } = this;
    const forms = [
      `+${length}`,
      `0x${length.toString(16)}`,
      `0${length}`,
      `${length} `,
      `\t${length}`,
      `${length}, ${length}`,
      `${length}.0`,
      '',
    ];
    return dice.chance(0.5) ? dice.pick(forms) : String(Math.max(0, length + dice.whole(-5, 5)));
  }

  private addOddLine(lines: string[]): void {
    const { dice } = this;
    if (dice.chance(0.03)) {
      lines.push(...Array.from({ length: dice.pick(MANY_LINES) }, () => 'via:'));
      return;
    }
    const at = dice.whole(0, lines.length);
    if (dice.chance(0.1)) lines.splice(at, 0, lines[dice.whole(0, lines.length - 1)]);
    else lines.splice(at, 0, dice.pick(ODD_LINES));
  }

  /** Changes, drops or doubles a few bytes. */
  private damage(bytes: Buffer): Buffer {
    const { dice } = this;
    const damaged = [...bytes];
    for (let count = dice.whole(1, 3); count > 0; count--) {
      const at = dice.whole(0, damaged.length - 1);
      const how = dice.whole(0, 2);
      if (how === 0) damaged[at] = dice.whole(0, 255);
      else if (how === 1) damaged.splice(at, dice.whole(1, 4));
      else damaged.splice(at, 0, dice.pick([10, 13, 32, 0, 58, damaged[at]]));
      if (damaged.length === 0) break;
    }
    return Buffer.from(damaged);
  }

  private cut(bytes: Buffer): Piece[] {
    const { dice } = this;
    const way = dice.whole(0, 39);
    if (way < 26) return [{ bytes, isPause: dice.chance(0.9), isLast: true }];
    const isFine = way === 39 && bytes.length < 1_500;
    const pieces: Piece[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = isFine ? at + 1 : at + dice.whole(1, Math.ceil(bytes.length / 2));
      pieces.push({ bytes: bytes.subarray(at, end), isPause: dice.chance(isFine ? 0.003 : 0.5), isLast: end >= bytes.length });
      at = end;
    }
    if (dice.chance(0.05)) pieces.splice(dice.whole(1, pieces.length));
    return pieces;
  }
}

/** Bodies of the recorded requests for positions. Reports are left out, because each costs a commit. */
function corpusBodies(): Buffer[] {
  const found: Buffer[] = [];
  for (const step of allSteps()) {
    if (step === 'aggregate' || step.method !== 'POST' || step.packing !== undefined || !/^\/(\?|v1\/geolocate)/.test(step.path)) continue;
    const bytes = bytesOf(step, text => text.replace(/\{\{.*?\}\}/g, 'x'));
    if (bytes !== undefined && bytes.length > 0 && bytes.length < CORPUS_BODY_BYTES && !/"age":\s*"?0/.test(bytes.toString('latin1')))
      found.push(bytes);
  }
  const step = Math.ceil(found.length / CORPUS_BODIES);
  return found.filter((_, i) => i % step === 0);
}
