import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TRACK_STATE_BYTES_MAX } from '../../src/radio/query/layout.ts';
import { createSecretMemory, SECRET_BYTES, SecretsView, shareSecrets } from '../../src/tracking/secrets.ts';
import { type DeviceState, StateSealer, TOKEN_CHARACTERS_MAX } from '../../src/tracking/state_token.ts';

const sealerOf = (secret: Uint8Array): StateSealer => {
  const memory = createSecretMemory();
  shareSecrets(memory, { secret });
  return new StateSealer(new SecretsView(memory));
};
const sealer = sealerOf(randomBytes(SECRET_BYTES));
const DAY_MS = 86_400_000;
const state: DeviceState = {
  accountId: 7,
  deviceId: 'device',
  timeMs: 1_700_000_000_123,
  latitude: 48.123456789,
  longitude: -11.987654321,
  accuracyMetres: 12.5,
  sources: 5,
  track: undefined,
};
const open = (token: string, from = sealer) => from.open(token, 7, 'device', state.timeMs);

/** A token whose bytes were changed. */
const damaged = (change: (bytes: Buffer) => Buffer): string =>
  change(Buffer.from(sealer.seal(state), 'base64url')).toString('base64url');

describe('a token', () => {
  test('opens to what was sealed', () => {
    expect(open(sealer.seal(state))).toEqual(state);
  });

  test('opens to any state, and stays short', () => {
    const anyState = fc.record({
      accountId: fc.integer({ min: 1, max: 1_048_575 }),
      deviceId: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      timeMs: fc.integer({ min: 0, max: 1e14 }),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      accuracyMetres: fc.float({ min: 0, max: 20_037_508, noNaN: true }),
      sources: fc.nat(15),
      track: fc.option(
        fc.uint8Array({ minLength: 1, maxLength: TRACK_STATE_BYTES_MAX }).map(bytes => Buffer.from(bytes)),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(anyState, each => {
        const token = sealer.seal(each);
        expect(token.length).toBeLessThanOrEqual(each.track === undefined ? 150 : 600);
        expect(sealer.open(token, each.accountId, each.deviceId, each.timeMs)).toEqual(each);
      }),
    );
  });

  test('is another one each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => sealer.seal(state).slice(0, 16))).size).toBe(1000);
  });

  test('of another account or device is foreign', () => {
    const token = sealer.seal(state);
    expect(sealer.open(token, 8, 'device', state.timeMs)).toBe('foreign');
    expect(sealer.open(token, 7, 'devicf', state.timeMs)).toBe('foreign');
    expect(sealer.open(token, 7, undefined, state.timeMs)).toBe('foreign');
  });

  test('expires after a day, whoever sends it', () => {
    const token = sealer.seal(state);
    expect(sealer.open(token, 7, 'device', state.timeMs + DAY_MS)).toEqual(state);
    expect(sealer.open(token, 7, 'device', state.timeMs + DAY_MS + 1)).toBeUndefined();
    expect(sealer.open(token, 8, 'other', state.timeMs + DAY_MS + 1)).toBeUndefined();
  });

  test('opens under the same secret only', () => {
    const secret = randomBytes(SECRET_BYTES);
    const token = sealerOf(secret).seal(state);
    expect(open(token, sealerOf(Buffer.from(secret)))).toEqual(state);
    expect(open(token)).toBeUndefined();
  });

  test(
    'opens after a rotation until the time of the old secret is over, and the next one is sealed under the new ' +
      'secret',
    () => {
      const memory = createSecretMemory();
      const [old, secret, later] = [1, 2, 3].map(() => randomBytes(SECRET_BYTES));
      shareSecrets(memory, { secret: old });
      let now = 1_800_000_000_000;
      const rotated = new StateSealer(new SecretsView(memory), () => now);
      const token = rotated.seal(state);
      const untilMs = now + 1_000;
      shareSecrets(memory, { secret, earlier: { secret: old, untilMs } });
      expect(open(token, rotated)).toEqual(state);
      now = untilMs - 1;
      expect(open(token, rotated)).toEqual(state);
      now = untilMs;
      expect(open(token, rotated)).toBeUndefined();
      const next = rotated.seal(state);
      expect([open(next, sealerOf(old)), open(next, sealerOf(secret))]).toEqual([undefined, state]);
      shareSecrets(memory, { secret: later, earlier: { secret, untilMs: now + 1 } });
      expect([open(token, rotated), open(next, rotated)]).toEqual([undefined, state]);
      shareSecrets(memory, { secret: later });
      expect(open(next, rotated)).toBeUndefined();
    },
  );
});

describe('an invalid token', () => {
  test('is ignored: any bit flipped', () => {
    const bits = Buffer.from(sealer.seal(state), 'base64url').length * 8;
    fc.assert(
      fc.property(fc.nat(bits - 1), bit => {
        const flipped = damaged(bytes => {
          bytes[bit >> 3] ^= 1 << (bit & 7);
          return bytes;
        });
        expect(open(flipped)).toBeUndefined();
      }),
    );
  });

  test('is ignored: cut anywhere, or longer', () => {
    const { length } = Buffer.from(sealer.seal(state), 'base64url');
    for (let end = 0; end < length; end++) expect(open(damaged(bytes => bytes.subarray(0, end)))).toBeUndefined();
    for (let start = 1; start < length; start++) expect(open(damaged(bytes => bytes.subarray(start)))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 4000 }), more => {
        expect(open(damaged(bytes => Buffer.concat([bytes, more])))).toBeUndefined();
      }),
    );
  });

  test('is ignored: any bytes, any text, of any length', () => {
    const bytes = fc.uint8Array({ maxLength: 5000 }).map(bytes => Buffer.from(bytes).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string({ unit: 'binary', maxLength: 500 })), text => {
        expect(open(text)).toBeUndefined();
      }),
    );
    expect(open('A'.repeat(10_000_000))).toBeUndefined();
  });

  test('is ignored: longer than the limit, though its beginning would open', () => {
    const token = sealer.seal(state);
    // What stands behind a sign that base64 ends with is not looked at.
    const padded = (length: number) => `${token}=`.padEnd(length, '=');
    expect(open(padded(TOKEN_CHARACTERS_MAX))).toEqual(state);
    expect(open(padded(TOKEN_CHARACTERS_MAX + 1))).toBeUndefined();
  });

  test('is ignored: parts of two tokens', () => {
    const [a, b] = [sealer.seal(state), sealer.seal({ ...state, accountId: 8 })].map(token =>
      Buffer.from(token, 'base64url'),
    );
    for (const cut of [12, a.length - 16]) {
      expect(open(Buffer.concat([a.subarray(0, cut), b.subarray(cut)]).toString('base64url'))).toBeUndefined();
    }
  });
});
