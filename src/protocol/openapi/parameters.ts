// Parameters of the operations that are read elsewhere than in requests/query.ts.

import type { Schema } from '../json_schema.ts';
import { ID_CHARACTERS_MAX } from '../requests/parameters.ts';
import { flag, plain, Query } from '../requests/query.ts';

/** Parameter of the routes that answer with names. */
export const LANGUAGE_HEADER = {
  name: 'Accept-Language',
  in: 'header',
  description: 'Preferred languages of names.',
  schema: { type: 'string' },
  example: 'de',
};

/** Parameters of GET /. */
export const COMPACT_GET = new Query({
  wifi: plain(
    'Access points as `BSSID,SSID,RSSI` with `;` between them. SSID and RSSI may be missing, and the SSID may ' +
      'hold commas. Repeated, all count.',
    '02:00:5e:00:00:d3,,-50;02:00:5e:00:00:d4,,-60',
  ),
  cells: plain(
    'Cells as `RADIO,MCC,MNC,AREA,ID,DBM` with `;` between them; also named `cell`. The radio type, the area and ' +
      'what stands behind the id may be empty. Repeated, all count.',
    'lte,1,1,1,256001,-90',
  ),
}).documented;

/** Parameter of the routes that answer with positions in JSON. */
export const POSITION_POST = new Query({
  explain: flag(
    false,
    'As the member `explain` of the body, which wins over it. With a list of positions it stands for those ' +
      'that have no such member.',
  ),
}).documented;

const [DeviceId, RequestNumber] = new Query({
  id: plain(
    'Device id, unique for the account. Plans by device count it, and answers hold a `state` only for requests ' +
      'that have it.',
    'bus 12',
    { type: 'string', maxLength: ID_CHARACTERS_MAX },
  ),
  nr: plain(
    'The device’s own number of the request, for the request log. Anything but a whole number from 0 is passed over.',
    undefined,
    { type: 'integer', minimum: 0 },
  ),
}).documented;

/** Parameters of `#/components/parameters`, by name. */
export const SHARED_PARAMETERS: Readonly<Record<string, Schema>> = { DeviceId, RequestNumber };
