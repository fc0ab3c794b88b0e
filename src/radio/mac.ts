// Hardware addresses as 48-bit numbers: cheap to compare, to hash and to write as a key, and exact in a double.

/**
 * Reads a MAC of twelve hexadecimal digits with `:`, `-`, `.` or nothing between them, in any case.
 * @returns the address as a number 0..2^48-1, or -1 when the text is no address.
 */
export function parseMac(text: string): number {
  let high = 0;
  let low = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    let digit: number;
    if (code >= 48 && code <= 57) digit = code - 48;
    else if (code >= 97 && code <= 102) digit = code - 87;
    else if (code >= 65 && code <= 70) digit = code - 55;
    else if ((code === 58 || code === 45 || code === 46) && digits > 0 && digits < 12) continue;
    else return -1;
    if (digits < 6) high = (high << 4) | digit;
    else low = (low << 4) | digit;
    digits++;
  }
  return digits === 12 ? high * 16777216 + low : -1;
}

/** Formats a 48-bit address as `aa:bb:cc:dd:ee:ff`. */
export function formatMac(mac: number): string {
  const hex = mac.toString(16).padStart(12, '0');
  return `${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}:${hex.slice(6, 8)}:${hex.slice(8, 10)}:${hex.slice(10)}`;
}

/** True for group addresses (lowest bit of the first octet) and the null address: no access point sends from them. */
export function isGroupOrNullMac(mac: number): boolean {
  return mac === 0 || (Math.floor(mac / 1099511627776) & 1) === 1;
}

/** The last five octets: equal for the virtual networks that one radio announces under several first octets. */
export function radioOfMac(mac: number): number {
  return mac % 1099511627776;
}
