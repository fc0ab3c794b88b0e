// Blanks out everything in logged texts that has the form of a key, wherever it stands: a key in a body, in a device
// id, in an address that `withoutKey` did not understand, in an answer that repeats it. Texts need not be whole or
// well-formed. Each character may be plain, percent-encoded (`%5F`) or escaped as in JSON (`\u005f`).
//
// A key is `sx_` and 26 letters and digits (accounts/key.ts). Texts are cut, and people mistype, so 8 are enough, and
// all that follow go too. Blanks have the length of what they replace, so lengths in records stay true. The bytes are
// searched for the underscore, which is rare, and not read one by one.

const PREFIX_LETTERS = ['x', 's'];
/** Letters and digits behind the underscore from which it counts as a key. */
const CHARACTERS_MIN = 8;
const BLANK = '*'.charCodeAt(0);
const UNDERSCORES = ['_', '%5f', '%5F', '\\u005f', '\\u005F'].map(text => Buffer.from(text));
/** Bytes of a character in each of its forms, and the text before its two hexadecimal digits. */
const FORMS: readonly [length: number, before: string][] = [
  [1, ''],
  [3, '%'],
  [6, '\\u00'],
];
const LETTER_OR_DIGIT = /^[0-9a-z]$/i;

/** In front of a plain underscore of a key stands the last byte of its `x`, in one of its forms. */
const BEFORE_UNDERSCORE = Buffer.from('xX8');

/**
 * False if there is no key in the bytes of many records: a look that costs a fraction of reading each. Only the
 * underscores are searched for, as an `8` is in every second word.
 */
export function mayHoldKeys(records: Buffer): boolean {
  const [plain, ...coded] = UNDERSCORES;
  if (coded.some(underscore => records.includes(underscore))) return true;
  for (let at = records.indexOf(plain[0], 1); at >= 0; at = records.indexOf(plain[0], at + 1))
    if (BEFORE_UNDERSCORE.includes(records[at - 1])) return true;
  return false;
}

/** Blanks out all keys in the bytes of some texts. */
export function redactKeys(texts: Buffer): void {
  for (const underscore of UNDERSCORES) {
    for (let at = texts.indexOf(underscore); at >= 0; at = texts.indexOf(underscore, at + 1)) {
      const from = startOfPrefix(texts, at);
      if (from !== undefined) redactFrom(texts, from, at + underscore.length);
    }
  }
}

function redactFrom(bytes: Buffer, from: number, behindPrefix: number): void {
  let to = behindPrefix;
  let count = 0;
  for (let length = lengthOfNext(bytes, to); length > 0; length = lengthOfNext(bytes, to)) {
    to += length;
    count++;
  }
  if (count >= CHARACTERS_MIN) bytes.fill(BLANK, from, to);
}

/** Where the `sx` before an underscore begins. */
function startOfPrefix(bytes: Buffer, underscoreAt: number): number | undefined {
  let at = underscoreAt;
  for (const letter of PREFIX_LETTERS) {
    const form = FORMS.find(([length]) => at >= length && characterAt(bytes, at - length, length) === letter);
    if (form === undefined) return undefined;
    at -= form[0];
  }
  return at;
}

/** Bytes of the letter or digit at a position; 0 if there is something else. */
function lengthOfNext(bytes: Buffer, at: number): number {
  for (const [length] of FORMS) if (LETTER_OR_DIGIT.test(characterAt(bytes, at, length))) return length;
  return 0;
}

/** The character that some bytes stand for, in lower case; empty if they are no form of one. */
function characterAt(bytes: Buffer, at: number, length: number): string {
  const text = bytes.toString('latin1', at, at + length);
  if (length === 1) return text.toLowerCase();
  const [, before] = FORMS.find(([formLength]) => formLength === length)!;
  const digits = text.slice(before.length);
  if (!text.startsWith(before) || !/^[0-9a-f]{2}$/i.test(digits)) return '';
  return String.fromCharCode(Number.parseInt(digits, 16)).toLowerCase();
}
