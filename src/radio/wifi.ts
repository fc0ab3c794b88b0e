// Access points whose owners opted out of location services.

const NOMAP = '_nomap';
const OPTOUT = '_optout';
const NOMAP_HEX = Buffer.from(NOMAP).toString('hex');
const OPTOUT_HEX = /^(?:..)*?5f6f70746f7574/i;
/** A network name has at most 32 bytes. */
const SSID_HEX_LENGTH_MAX = 64;

/**
 * True if the network's name opts out of location services: it ends in `_nomap` or contains `_optout`.
 * @param ssid name as text; an empty string or another type counts as not sent
 * @param ssidHex name with two hexadecimal digits a byte; used only if `ssid` was not sent
 */
export function isOptedOut(ssid: unknown, ssidHex: unknown): boolean {
  if (typeof ssid === 'string' && ssid !== '') return ssid.endsWith(NOMAP) || ssid.includes(OPTOUT);
  if (typeof ssidHex !== 'string' || ssidHex.length > SSID_HEX_LENGTH_MAX) return false;
  return ssidHex.slice(-NOMAP_HEX.length).toLowerCase() === NOMAP_HEX || OPTOUT_HEX.test(ssidHex);
}
