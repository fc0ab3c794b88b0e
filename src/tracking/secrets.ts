// The secrets of state tokens, in memory that all threads share. The writer thread changes them while HTTP threads seal
// and open tokens:
//
//   changes i32 | unused i32 | end of the earlier secret f64, milliseconds since 1970 | secret 32 | earlier secret 32
//
// `changes` is odd during a change, so a reader that met one reads again.

/** Bytes of a secret. */
export const SECRET_BYTES = 32;

const UNTIL_AT = 8;
const SECRET_AT = 16;
const EARLIER_AT = SECRET_AT + SECRET_BYTES;
const MEMORY_BYTES = EARLIER_AT + SECRET_BYTES;

/** What seals tokens, and what opens them too. */
export interface Secrets {
  /** SECRET_BYTES long. */
  secret: Uint8Array;
  /** The secret before the last rotation, as long as it opens tokens. */
  earlier?: { secret: Uint8Array; untilMs: number } | undefined;
}

/** Memory for secrets, which holds none yet. */
export function createSecretMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(MEMORY_BYTES);
}

/** Makes secrets those of all threads. One thread at a time. */
export function shareSecrets(memory: SharedArrayBuffer, { secret, earlier }: Secrets): void {
  const changes = new Int32Array(memory, 0, 1);
  Atomics.add(changes, 0, 1);
  new DataView(memory).setFloat64(UNTIL_AT, earlier?.untilMs ?? 0, true);
  new Uint8Array(memory, SECRET_AT, SECRET_BYTES).set(secret);
  if (earlier === undefined) new Uint8Array(memory, EARLIER_AT, SECRET_BYTES).fill(0);
  else new Uint8Array(memory, EARLIER_AT, SECRET_BYTES).set(earlier.secret);
  Atomics.add(changes, 0, 1);
}

/** The secrets, as one thread reads them. */
export class SecretsView {
  private readonly memory: SharedArrayBuffer;
  private readonly words: Int32Array;

  /** @param memory from `createSecretMemory` */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.words = new Int32Array(memory, 0, 1);
  }

  /** Differs after each change. */
  get changes(): number {
    return Atomics.load(this.words, 0);
  }

  /** A copy, and the value of `changes` that it belongs to. */
  read(): Secrets & { changes: number } {
    for (;;) {
      const { changes } = this;
      const copy = new Uint8Array(this.memory).slice();
      if (changes % 2 !== 0 || changes !== this.changes) continue;
      const secret = copy.subarray(SECRET_AT, EARLIER_AT);
      const untilMs = new DataView(copy.buffer).getFloat64(UNTIL_AT, true);
      return { changes, secret, earlier: untilMs === 0 ? undefined : { secret: copy.subarray(EARLIER_AT), untilMs } };
    }
  }
}
