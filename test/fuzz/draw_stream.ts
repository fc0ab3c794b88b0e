// Draws what a client sends over one connection: one to six requests, most of them of the plain form, others for other
// routes, or with a fault or a rarity of HTTP, in any order, cut into pieces anywhere, and then an end, a break or
// silence.

import type { Dice } from '../corpus/dice.ts';
import { bytesOf } from '../corpus/exchange.ts';
import { allSteps } from '../corpus/requests.ts';
import {
  BROKEN_BODIES,
  DEMO_BODIES,
  LANGUAGE_LINES,
  MANY_LINES,
  METHODS,
  ODD_LINES,
  ODD_PLACES,
  OTHER_LINES,
  OTHERS,
  PLACES,
  PLAIN_LINES,
  TARGETS,
  VERSIONS,
} from './stream_parts.ts';

/** One piece of a stream. */
export interface Piece {
  bytes: Buffer;
  /** The server may run before the next piece arrives. */
  isPause: boolean;
  /** A request ends here, as it was drawn. */
  isLast: boolean;
  /** The answer takes another thread, and the next piece arrives behind it. */
  isSlow: boolean;
}

/** A stream, and what the client does behind it: it ends its side, breaks the connection, or waits. */
export interface DrawnStream {
  pieces: Piece[];
  last: 'end' | 'break' | 'wait';
  /** Some request may arrive before the one in front of it is answered. */
  isHasty: boolean;
}

const CORPUS_BODIES = 300;
const CORPUS_BODY_BYTES = 1_024;
/** Found in requests whose answers take another thread. */
const SLOW = /content-encoding|\/search|\/batch/i;

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
    const requests = Array.from({ length: dice.whole(1, dice.chance(0.2) ? 6 : 4) }, () =>
      dice.chance(0.15) ? this.other() : this.request(),
    );
    const isSlowRequest = (request: Buffer) => SLOW.test(request.toString('latin1'));
    const firstSlow = requests.findIndex(isSlowRequest);
    const texts = dice.chance(0.1)
      ? [Buffer.concat(firstSlow < 0 ? requests : requests.slice(0, firstSlow + 1))]
      : requests;
    const pieces: Piece[] = [];
    /** Each request is answered before the next one arrives, as far as that can be known. */
    let isInTurn = true;
    for (const text of texts) {
      if (isSlowRequest(text)) {
        // When a damaged one is done, nobody knows. Nor to which request the next answer belongs, if several are under
        // way.
        pieces.push(...this.cut(text, isInTurn));
        if (!isInTurn) return { pieces, last: 'wait', isHasty: true };
        continue;
      }
      const isDamaged = dice.chance(0.05);
      const cut = this.cut(isDamaged ? this.damage(text) : text, false);
      if (dice.chance(0.02)) cut.splice(dice.whole(1, cut.length));
      isInTurn &&= !isDamaged && cut.at(-1)?.isLast === true && cut.every(({ isPause }) => isPause);
      pieces.push(...cut);
    }
    const last = pieces.some(({ isSlow }) => isSlow)
      ? 'wait'
      : dice.pick(['end', 'end', 'wait', 'wait', 'break'] as const);
    return { pieces, last, isHasty: pieces.some(({ isPause }) => !isPause) };
  }

  /** A valid request for another route, with its body in one of the ways in which a body can be sent. */
  private other(): Buffer {
    const { dice } = this;
    const [start, body] = dice.pick(OTHERS);
    const key = dice.chance(0.7) ? this.keys[0] : dice.pick(this.keys);
    const lines = Array.from({ length: dice.whole(0, 3) }, () => dice.pick(OTHER_LINES)).filter(
      line => !SLOW.test(start) || !line.startsWith('Expect'),
    );
    const isChunked = body !== undefined && dice.chance(0.2);
    if (body !== undefined) lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
    const sent = isChunked && body !== '' ? `${body.length.toString(16)}\r\n${body}\r\n` : (body ?? '');
    return Buffer.from(
      [`${start.replace('{key}', key)} HTTP/1.1`, ...lines, '', sent + (isChunked ? '0\r\n\r\n' : '')].join('\r\n'),
    );
  }

  private request(): Buffer {
    const { dice } = this;
    const oddity = dice.chance(0.3) ? dice.whole(1, 6) : 0;
    const key = dice.chance(0.7) ? this.keys[0] : dice.pick(this.keys);
    if (dice.chance(0.3)) return this.place(key, oddity);
    const method = oddity === 1 ? dice.pick(METHODS) : 'POST';
    const version = oddity === 2 ? dice.pick(VERSIONS) : 'HTTP/1.1';
    const path = dice.chance(0.8) ? '/' : dice.pick(['/v1/geolocate', '/geolocation/v1/geolocate']);
    const query = dice.chance(0.8)
      ? '?key={key}'
      : dice.pick(['', '?key={key}&id=bus%2012&nr=5', '?nr=17&key={key}', '?key={key}&x=1']);
    const target = (oddity === 3 ? dice.pick(TARGETS) : path + query).replaceAll('{key}', key);
    const body = oddity === 4 ? Buffer.from(dice.pick(BROKEN_BODIES)) : dice.pick(this.bodies);
    const lines = Array.from({ length: dice.whole(0, 5) }, () => dice.pick(PLAIN_LINES));
    const lengthName = dice.pick(['Content-Length', 'content-length', 'CONTENT-LENGTH']);
    lines.splice(
      dice.whole(0, lines.length),
      0,
      `${lengthName}:${dice.pick([' ', ' ', ' ', '', '  '])}${this.length(body, oddity === 5)}`,
    );
    if (oddity === 6) this.addOddLine(lines);
    const end = dice.chance(0.98) ? '\r\n' : dice.pick(['\n', '\r', '\r\r\n']);
    const head = [`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n').replace('\r\n', end);
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  }

  /** A question about a place. @param oddity 0 for the plain form */
  private place(key: string, oddity: number): Buffer {
    const { dice } = this;
    const method = oddity === 1 ? dice.pick(METHODS) : 'GET';
    const version = oddity === 2 ? dice.pick(VERSIONS) : 'HTTP/1.1';
    const target = dice.pick(oddity === 3 ? ODD_PLACES : PLACES).replaceAll('{key}', key);
    const body = oddity === 4 ? dice.pick(BROKEN_BODIES) : '';
    const lines = Array.from({ length: dice.whole(0, 4) }, () => dice.pick(PLAIN_LINES));
    if (oddity === 4 && dice.chance(0.7)) lines.push(`content-length: ${this.length(Buffer.from(body), false)}`);
    if (oddity === 5) lines.push(dice.pick(LANGUAGE_LINES));
    if (oddity === 6) this.addOddLine(lines);
    return Buffer.from([`${method} ${target} ${version}`, ...lines, '', body].join('\r\n'), 'latin1');
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

  private cut(bytes: Buffer, isSlow: boolean): Piece[] {
    const { dice } = this;
    const way = dice.whole(0, 39);
    if (way < 26) return [{ bytes, isPause: isSlow || dice.chance(0.9), isLast: true, isSlow }];
    const isFine = way === 39 && bytes.length < 1_500;
    const pieces: Piece[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = isFine ? at + 1 : at + dice.whole(1, Math.ceil(bytes.length / 2));
      const isLast = end >= bytes.length;
      const isPause = (isSlow && isLast) || dice.chance(isFine ? 0.003 : 0.5);
      pieces.push({ bytes: bytes.subarray(at, end), isPause, isLast, isSlow: isSlow && isLast });
      at = end;
    }
    return pieces;
  }
}

/** Bodies of the recorded requests for positions. Reports are left out, because each costs a commit. */
function corpusBodies(): Buffer[] {
  const found: Buffer[] = [];
  for (const step of allSteps()) {
    if (
      step === 'aggregate' ||
      step.method !== 'POST' ||
      step.packing !== undefined ||
      !/^\/(\?|v1\/geolocate)/.test(step.path)
    )
      continue;
    const bytes = bytesOf(step, text => text.replace(/\{\{.*?\}\}/g, 'x'));
    if (
      bytes !== undefined &&
      bytes.length > 0 &&
      bytes.length < CORPUS_BODY_BYTES &&
      !/"age":\s*"?0/.test(bytes.toString('latin1'))
    )
      found.push(bytes);
  }
  const step = Math.ceil(found.length / CORPUS_BODIES);
  return found.filter((_, i) => i % step === 0);
}
