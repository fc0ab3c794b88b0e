// The access log: a line for each request over HTTP, with the address of the client. An HTTP thread gathers lines and
// sends them to the main thread, which writes them, a few times a second; without an access log nothing of this runs.
//
// No key is ever in it: addresses of requests come without (tables/requests/record.ts), and what else has the form of a
// key is blanked out. Of what a client sends only printable ASCII stands in a line; the rest is percent-encoded.

import { mayHoldKeys, redactKeys } from '../../tables/requests/redact.ts';

/** How lines are written. */
type AccessForm = 'text' | 'json';

/** A request that was answered. */
export interface Access {
  /** Arrival, milliseconds since 1970. */
  timeMs: number;
  /** Of the client; undefined when it had disconnected. */
  address: string | undefined;
  method: string;
  /** Path and query, without the key. */
  url: string;
  status: number;
  /** From arrival to reply, microseconds. */
  latencyUs: number;
  /** Number of the key; undefined before authentication. */
  account: number | undefined;
  device: string | undefined;
  logId: number;
}

const FLUSH_MILLISECONDS = 200;
const FLUSH_CHARACTERS = 65_536;
/** What may stand in a line as it is: printable ASCII without the space. */
const PLAIN = /^[\x21-\x7e]*$/;
const NOT_PLAIN = /[^\x21-\x7e]/gu;

/** Writes the access log of one HTTP thread. */
export class AccessLog {
  private readonly form: AccessForm;
  private readonly post: (lines: string) => void;
  private lines = '';
  private timer: NodeJS.Timeout | undefined;

  /** @param post receives whole lines */
  constructor(form: AccessForm, post: (lines: string) => void) {
    this.form = form;
    this.post = post;
  }

  /** Adds a line. */
  add(access: Access): void {
    this.lines += this.form === 'json' ? jsonLine(access) : textLine(access);
    if (this.lines.length >= FLUSH_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), FLUSH_MILLISECONDS);
  }

  /** Sends what has gathered. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines === '') return;
    const bytes = Buffer.from(this.lines);
    this.lines = '';
    if (mayHoldKeys(bytes)) redactKeys(bytes);
    this.post(bytes.toString());
  }
}

function textLine({ timeMs, address, method, url, status, latencyUs, account, device, logId }: Access): string {
  const words = [
    new Date(timeMs).toISOString(),
    plain(address) ?? '-',
    method,
    plain(url),
    status,
    `${(latencyUs / 1000).toFixed(3)}ms`,
    `key=${account ?? '-'}`,
    `device=${plain(device) ?? '-'}`,
    `logId=${logId}`,
  ];
  return `${words.join(' ')}\n`;
}

function jsonLine({ timeMs, address, method, url, status, latencyUs, account, device, logId }: Access): string {
  const texts = { time: new Date(timeMs).toISOString(), address: plain(address), method, url: plain(url) };
  const latencyMs = Math.round(latencyUs) / 1000;
  return `${JSON.stringify({ ...texts, status, latencyMs, key: account, device: plain(device), logId })}\n`;
}

/** A text with everything else percent-encoded. A proxy may pass on any text as an address. */
function plain(text: string | undefined): string | undefined {
  return text === undefined || PLAIN.test(text) ? text : text.toWellFormed().replace(NOT_PLAIN, encodeURIComponent);
}
