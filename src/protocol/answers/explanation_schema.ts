// Schemas of explanations, as the public address gives them.

import { closedObject, ref, type Schema } from '../json_schema.ts';

const LIST: Schema = { enum: ['wifiAccessPoints', 'bluetoothBeacons', 'cellTowers'], description: 'A list of the body.' };
const ENTRY: Schema = { type: 'integer', minimum: 0, description: 'Place in the list, from 0.' };
const COUNT: Schema = { type: 'integer', minimum: 0 };

/** Schemas by name. */
export const EXPLANATIONS: { readonly [name: string]: Schema } = {
  Explanation: closedObject(
    {
      sent: closedObject(
        {
          wifiAccessPoints: COUNT,
          bluetoothBeacons: COUNT,
          cellTowers: COUNT,
          leftOut: {
            type: 'array',
            items: closedObject(
              {
                list: LIST,
                entry: ENTRY,
                why: {
                  enum: ['noObject', 'noAddress', 'groupAddress', 'optedOut', 'noIdentity', 'noNetwork', 'noArea', 'noCell'],
                },
              },
              ['list', 'entry', 'why'],
            ),
            description: 'Entries that are left out.',
          },
          ignored: {
            type: 'array',
            items: closedObject({ list: LIST, entry: ENTRY, member: { type: 'string' } }, ['list', 'entry', 'member']),
            description: 'Members that are out of their range and count as not sent.',
          },
        },
        ['wifiAccessPoints', 'bluetoothBeacons', 'cellTowers', 'leftOut', 'ignored'],
        'What the body holds.',
      ),
      stations: { type: 'array', items: ref('ExplainedStation') },
    },
    ['sent', 'stations'],
    'How an answer came about, for keys that the operator has made with `--explain`. It has no position of a station.',
  ),
  ExplainedStation: closedObject(
    {
      list: LIST,
      entry: ENTRY,
      station: {
        type: 'string',
        description: 'Address, UUID/major/minor, or radio-country-network-area-cell; absent for a cell without an id.',
      },
      code: { type: 'integer', minimum: 0, description: 'Scrambling code or physical cell id of a cell without an id.' },
      signalDbm: { type: 'integer', description: 'dBm, as sent.' },
      ageSeconds: { type: 'number', minimum: 0, description: 'Age of the reading, as sent.' },
    },
    ['list', 'entry'],
    'A station that the device heard.',
  ),
};
