// Webhooks of LoRaWAN servers: an uplink that carries a WiFi scan is answered with the position of the device, which is
// also sent on to one address, where the operator has given one. The servers keep no answer and pause a webhook that
// often fails, so what cannot be located is no error to them.

import { ERRORS, type ErrorRow, type Wording } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { plain, Query } from '../requests/query.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { membersOf, readObjectBody, textOf } from './json_body.ts';
import { wifiScanIn } from './wifi_scan.ts';

/** What an uplink tells. */
interface Uplink {
  /** EUI of the device, and the name that the server gives it. */
  devEui: string | undefined;
  device: string | undefined;
  time: string | undefined;
  decoded: unknown;
}

const NOTHING = '{}';
const EVENT = new Query({ event: plain('Kind of the message; any but `up` is answered `{}`.', 'up') });

/** `POST ?event=up` of ChirpStack 4, and of 3, whose device is not in a member of its own; others have no uplink. */
function readChirpStack({ url, bytes }: DialectRequest): Asked {
  const body = readObjectBody(bytes);
  const { event = 'up' } = EVENT.read(url);
  const { devEui, deviceName } = membersOf(body.deviceInfo ?? { devEui: body.devEUI, deviceName: body.deviceName });
  return askedOf({
    devEui: textOf(devEui),
    device: textOf(deviceName),
    time: textOf(body.time ?? body.publishedAt),
    decoded: event === 'up' ? (body.object ?? body.objectJSON) : undefined,
  });
}

/** An uplink message of The Things Stack 3; other messages have none. */
function readThingsStack({ bytes }: DialectRequest): Asked {
  const { end_device_ids: ids, uplink_message: uplink, received_at: time } = readObjectBody(bytes);
  const { dev_eui: devEui, device_id: device } = membersOf(ids);
  const decoded = membersOf(uplink).decoded_payload;
  return askedOf({ devEui: textOf(devEui), device: textOf(device), time: textOf(time), decoded });
}

function askedOf({ devEui, device, time, decoded }: Uplink): Asked {
  const wifiAccessPoints = wifiScanIn(decoded);
  if (wifiAccessPoints === undefined) return { status: () => NOTHING };
  return {
    position: { wifiAccessPoints, timestamp: time },
    isForwarded: true,
    write: ({ location, accuracy, fallback }: AnsweredPosition) =>
      JSON.stringify({ devEui, device, time, location, accuracy, fallback }),
  };
}

function statusOf(row: ErrorRow): number {
  if (row === ERRORS.notFound) return 200;
  return row === ERRORS.keyInvalid ? 401 : row.status;
}

const WORDING: Wording = {
  contentType: JSON_TYPE,
  status: statusOf,
  error: (_row, _asker, message = _row.message) => JSON.stringify({ error: message }),
};
const ERROR = closedObject({ error: { type: 'string' } });
const TEXT: Schema = { type: 'string' };
/** Of both. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  DevicePosition: closedObject(
    {
      'devEui?': TEXT,
      'device?': TEXT,
      'time?': TEXT,
      'location?': closedObject({ lat: { type: 'number' }, lng: { type: 'number' } }),
      'accuracy?': { type: 'integer', minimum: 1 },
      'fallback?': TEXT,
    },
    'Empty for an uplink without a WiFi scan.',
  ),
};

function hook(
  title: string,
  path: string,
  name: string,
  read: (request: DialectRequest) => Asked,
  parameters: readonly Schema[] = [],
): Dialect {
  return {
    title,
    wording: WORDING,
    error: ERROR,
    schemas: SCHEMAS,
    routes: [
      {
        method: 'POST',
        paths: [path],
        logged: 'position',
        read,
        operation: {
          name,
          summary: `As a webhook of ${title}: locate a device by its WiFi scan`,
          description:
            'An uplink that carries a WiFi scan, however its decoder names it, is answered with the position, which ' +
            'is also sent to the address of `--hook-forward`. Anything else is answered `{}`. A success costs one ' +
            'credit.',
          parameters,
          body: { 'application/json': { type: 'object' } },
          success: { 'application/json': ref('DevicePosition') },
        },
      },
    ],
  };
}

/** ChirpStack 3 and 4. */
export const CHIRPSTACK = hook('ChirpStack', '/hooks/chirpstack', 'chirpStackHook', readChirpStack, EVENT.documented);
/** The Things Stack 3. */
export const THINGS_STACK = hook('The Things Stack', '/hooks/tts', 'thingsStackHook', readThingsStack);
