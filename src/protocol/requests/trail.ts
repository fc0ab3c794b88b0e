// The parameters of GET /trail.

import { isGroupOrNullMac, parseMac } from '../../radio/mac.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { parameter, Query, required } from './query.ts';

/** The access point. */
export const TRAIL = new Query({
  mac: required(
    parameter(
      readMac,
      { type: 'string' },
      'Address of the access point, in any case, with `:`, `-`, `.` or nothing between the octets.',
      '02:00:5e:00:00:d3',
    ),
  ),
});

function readMac(text: string | undefined, name: string): number {
  if (text === undefined) throw new ApiError(ERRORS.parseError, `${name} is missing.`);
  const mac = parseMac(text.trim());
  if (mac < 0 || isGroupOrNullMac(mac))
    throw new ApiError(ERRORS.parseError, `${name} must be the MAC address of an access point.`);
  return mac;
}
