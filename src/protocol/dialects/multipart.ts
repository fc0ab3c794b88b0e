// Reads forms of the type multipart/form-data (RFC 7578). The boundary is what the body begins with, so the header is
// not needed.

import { ApiError, ERRORS } from '../errors.ts';

const FIELDS_MAX = 64;
const NAME = /^content-disposition:.*?[; ]name="?([^";\r\n]+)/im;

/**
 * The fields of a form by name, as text; the first of a name counts.
 * @throws ApiError parseError when the body is no form, or has more than 64 fields
 */
export function readForm(bytes: Buffer): Map<string, string> {
  const boundary = bytes.subarray(0, bytes.indexOf('\r\n')).toString('latin1');
  if (!boundary.startsWith('--') || boundary.length < 3) throw noForm();
  const fields = new Map<string, string>();
  let at = boundary.length;
  for (let count = 0; bytes.toString('latin1', at, at + 2) === '\r\n'; count++) {
    const end = bytes.indexOf(`\r\n${boundary}`, at, 'latin1');
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (count === FIELDS_MAX || end < 0 || headEnd < 0 || headEnd > end) throw noForm();
    const name = NAME.exec(bytes.toString('latin1', at + 2, headEnd + 2))?.[1];
    if (name !== undefined && !fields.has(name)) fields.set(name, bytes.toString('utf8', headEnd + 4, end));
    at = end + 2 + boundary.length;
  }
  return fields;
}

function noForm(): ApiError {
  return new ApiError(ERRORS.parseError, 'The body is no form of the type multipart/form-data.');
}
