// Figures, times and sizes as the view Operate writes them. Times are UTC.

const MINUTE = 60_000;

const LARGE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, notation: 'compact' });
const SMALL = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A number with up to three digits, none of them beyond hundredths. */
export function shortNumber(value: number): string {
  return (Math.abs(value) < 10 ? SMALL : LARGE).format(value);
}

/** A whole number. */
export const count = (value: number): string => value.toLocaleString('en');

/** Milliseconds in the unit that fits. */
export function latency(milliseconds: number): string {
  if (milliseconds >= 1000) return `${shortNumber(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${shortNumber(milliseconds)} ms` : `${shortNumber(1000 * milliseconds)} µs`;
}

/** From 1,000 of a unit on the next one fits, as three digits are shown. */
const ROUND_UP = 1_024 / 1_000;

/** Bytes in the unit that fits. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes * ROUND_UP) / 10));
  return `${shortNumber(bytes / 1024 ** power)} ${units[power]}`;
}

/** `12:30:05`. @param seconds since 1970 */
export const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19);

/** `12:30`. @param seconds since 1970 */
export const hourMinute = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 16);

/** `2026-11-26 12:30:05` of a time in ISO 8601. */
export const dateTime = (time: string): string => time.slice(0, 19).replace('T', ' ');

/** `26 Nov` of a day. */
export function shortDay(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
}

/** The last days, the first one first, as `2026-11-26`. */
export function lastDays(days: number, nowMs: number): string[] {
  const today = Math.floor(nowMs / (24 * 60 * MINUTE));
  return Array.from({ length: days }, (_, n) =>
    new Date((today - days + 1 + n) * 24 * 60 * MINUTE).toISOString().slice(0, 10),
  );
}
