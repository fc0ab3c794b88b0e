// The text of an angle in an answer: degrees with up to seven decimals, a centimetre. The digits are those of
// JavaScript's own number format. They are put together from integers here, because that format searches for the
// shortest text of a fraction, and seven decimals need no search. The text of a whole answer takes two thirds of the
// time that way.

/** A degree, and its parts, in units of the last decimal. */
const DEGREE = 10_000_000;
const TEN_THOUSANDTHS = 10_000;
/** JavaScript writes smaller numbers with an exponent. */
const SMALLEST_PLAIN = 10;
/** Three digits each, with leading zeros. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Writes an angle as JSON.
 * @param angle degrees, -180..180
 * @returns the angle rounded to seven decimals, without trailing zeros
 */
export function degreesText(angle: number): string {
  const units = Math.round(angle * DEGREE);
  const size = Math.abs(units) | 0; // 180 degrees fit in 31 bits
  if (size < SMALLEST_PLAIN) return `${units / DEGREE}`;
  const whole = (size / DEGREE) | 0;
  const sign = units < 0 ? '-' : '';
  const rest = size - whole * DEGREE;
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole}.${decimals(rest)}`;
}

/** Seven digits without trailing zeros. @param rest 1..9,999,999 */
function decimals(rest: number): string {
  const first = (rest / TEN_THOUSANDTHS) | 0;
  const others = rest - first * TEN_THOUSANDTHS;
  const second = (others / 10) | 0;
  const last = others - second * 10;
  const six = THREE_DIGITS[first] + THREE_DIGITS[second];
  if (last !== 0) return `${six}${last}`;
  let end = six.length;
  while (six.charCodeAt(end - 1) === 48) end--; // '0'
  return six.slice(0, end);
}
