// Reads the query string of GET /trail.

import { isGroupOrNullMac, parseMac } from '../../radio/mac.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { readQueryString } from './query_string.ts';

const PARAMETERS: ReadonlySet<string> = new Set(['mac']);

/** The address of the access point, 48 bits. @throws ApiError parseError that names the parameter */
export function readTrail(url: string): number {
  const text = readQueryString(url, PARAMETERS).get('mac');
  if (text === undefined || text === '') throw new ApiError(ERRORS.parseError, 'mac is missing.');
  const mac = parseMac(text.trim());
  if (mac < 0 || isGroupOrNullMac(mac))
    throw new ApiError(ERRORS.parseError, 'mac must be the MAC address of an access point.');
  return mac;
}
