// The 128-bit identifier of an iBeacon.

/**
 * Reads a UUID of 32 hexadecimal digits, in any case, with or without dashes, into 16 bytes.
 * @returns false if the text is not a UUID, or is the null UUID, which identifies nothing; `bytes` then holds arbitrary
 *   values
 */
export function parseUuid(text: string, bytes: Uint8Array): boolean {
  let digits = 0;
  let some = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    let digit: number;
    if (code >= 48 && code <= 57) digit = code - 48;
    else if (code >= 97 && code <= 102) digit = code - 87;
    else if (code >= 65 && code <= 70) digit = code - 55;
    else if (code === 45 && digits > 0 && digits < 32) continue;
    else return false;
    if (digits >= 32) return false;
    bytes[digits >> 1] = (bytes[digits >> 1] << 4) | digit;
    some |= digit;
    digits++;
  }
  return digits === 32 && some !== 0;
}
