// The state token holds what the service would remember about a device if it kept sessions. The device carries it
// instead, and cannot read it:
//
//   base64url( nonce 12 | AES-256-GCM of the state | tag 16 )
//
//   state: version u8 | account u32 | time f64 | latitude f64 | longitude f64 | accuracy f32 | sources u8 | device 8 |
//   track, the rest
//
// Only the data folder's secret can read or make a token, and the token names its account and device, the latter by the
// first 64 bits of a hash, so that the length of an id takes nothing from the track. The track is what is known of how
// the device moves; only those who make it know its form. After a rotation the old secret opens tokens for a while. A
// token that is damaged, foreign, expired, of another version or sealed under another secret counts as not sent. Nonces
// are random: among 2^32 tokens under one secret, one repeats with a probability of 2^-33.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import type { TimedPosition } from '../radio/query/reader.ts';
import type { SecretsView } from './secrets.ts';
import { LAST_LOCATION_MS } from './speed.ts';

/** The content of a token. */
export interface DeviceState extends TimedPosition {
  /** Account of the request, 1..1,048,575. */
  accountId: number;
  /** As the device sent it, at most 20 characters. */
  deviceId: string;
  /** SOURCE_* bits of the estimates behind the position. */
  sources: number;
  /** How the device moves, at most TRACK_STATE_BYTES_MAX; undefined where that is not known. */
  track: Uint8Array | undefined;
}

/** Longer tokens are ignored. */
export const TOKEN_CHARACTERS_MAX = 4096;

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const VERSION = 2;
const ACCOUNT_AT = 1;
const TIME_AT = 5;
const LATITUDE_AT = 13;
const LONGITUDE_AT = 21;
const ACCURACY_AT = 29;
const SOURCES_AT = 33;
const DEVICE_AT = 34;
const DEVICE_BYTES = 8;
const TRACK_AT = DEVICE_AT + DEVICE_BYTES;

/** Keys of the secrets. */
interface Keys {
  sealing: KeyObject;
  earlier: { key: KeyObject; untilMs: number } | undefined;
  changes: number;
}

/** Seals and opens tokens under the secrets of the data folder. */
export class StateSealer {
  private readonly secrets: SecretsView;
  private readonly now: () => number;
  private keys: Keys;

  /** @param now milliseconds since 1970; what clients say does not prolong the time of an old secret */
  constructor(secrets: SecretsView, now: () => number = Date.now) {
    this.secrets = secrets;
    this.now = now;
    this.keys = keysOf(secrets);
  }

  private keysNow(): Keys {
    if (this.keys.changes !== this.secrets.changes) this.keys = keysOf(this.secrets);
    return this.keys;
  }

  /** The token of a state. */
  seal(state: DeviceState): string {
    const nonce = randomFillSync(Buffer.allocUnsafe(NONCE_BYTES));
    const cipher = createCipheriv(ALGORITHM, this.keysNow().sealing, nonce);
    return Buffer.concat([nonce, cipher.update(encode(state)), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /**
   * Opens a token for the device that sent it.
   * @param token any value, as it was sent
   * @param timeMs time of the request; a state older than `LAST_LOCATION_MS` has expired
   * @returns undefined for a token to ignore, `foreign` for a token of another account or device
   */
  open(
    token: string,
    accountId: number,
    deviceId: string | undefined,
    timeMs: number,
  ): DeviceState | 'foreign' | undefined {
    const state = this.unseal(token);
    if (state === undefined || timeMs - state.readDoubleLE(TIME_AT) > LAST_LOCATION_MS) return undefined;
    if (deviceId === undefined || state.readUInt32LE(ACCOUNT_AT) !== accountId) return 'foreign';
    return deviceOf(deviceId).equals(state.subarray(DEVICE_AT, TRACK_AT)) ? decode(state, deviceId) : 'foreign';
  }

  /** The bytes of the state in a token; undefined for a token to ignore. */
  private unseal(token: string): Buffer | undefined {
    if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length < NONCE_BYTES + TRACK_AT + TAG_BYTES) return undefined;
    const { sealing, earlier } = this.keysNow();
    const state =
      decrypt(bytes, sealing) ??
      (earlier !== undefined && this.now() < earlier.untilMs ? decrypt(bytes, earlier.key) : undefined);
    return state?.[0] === VERSION ? state : undefined;
  }
}

function keysOf(secrets: SecretsView): Keys {
  const { secret, earlier, changes } = secrets.read();
  return {
    sealing: createSecretKey(secret),
    earlier: earlier && { key: createSecretKey(earlier.secret), untilMs: earlier.untilMs },
    changes,
  };
}

/** @returns undefined for a token that was not sealed under this key, so it is ignored whatever is wrong with it */
function decrypt(bytes: Buffer, key: KeyObject): Buffer | undefined {
  const tagAt = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(tagAt));
  const state = decipher.update(bytes.subarray(NONCE_BYTES, tagAt));
  try {
    decipher.final();
    return state;
  } catch {
    return undefined;
  }
}

function deviceOf(deviceId: string): Buffer {
  return createHash('sha256').update(deviceId).digest().subarray(0, DEVICE_BYTES);
}

function encode({
  accountId,
  deviceId,
  timeMs,
  latitude,
  longitude,
  accuracyMetres,
  sources,
  track,
}: DeviceState): Buffer {
  const state = Buffer.allocUnsafe(TRACK_AT + (track?.length ?? 0));
  state[0] = VERSION;
  state.writeUInt32LE(accountId, ACCOUNT_AT);
  state.writeDoubleLE(timeMs, TIME_AT);
  state.writeDoubleLE(latitude, LATITUDE_AT);
  state.writeDoubleLE(longitude, LONGITUDE_AT);
  state.writeFloatLE(accuracyMetres, ACCURACY_AT);
  state[SOURCES_AT] = sources;
  state.set(deviceOf(deviceId), DEVICE_AT);
  if (track !== undefined) state.set(track, TRACK_AT);
  return state;
}

function decode(state: Buffer, deviceId: string): DeviceState {
  return {
    accountId: state.readUInt32LE(ACCOUNT_AT),
    deviceId,
    timeMs: state.readDoubleLE(TIME_AT),
    latitude: state.readDoubleLE(LATITUDE_AT),
    longitude: state.readDoubleLE(LONGITUDE_AT),
    accuracyMetres: state.readFloatLE(ACCURACY_AT),
    sources: state[SOURCES_AT],
    track: state.length === TRACK_AT ? undefined : state.subarray(TRACK_AT),
  };
}
