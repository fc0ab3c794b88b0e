// How much of the disk the reports of a key may take. They are kept for as long as --keep-observations says, so
// without a limit one key could fill the disk.

import type { Account } from '../tables/accounts/account_record.ts';

/**
 * Megabytes (2^20 bytes) that the reports of a key take at most if it has no setting of its own: 1.7 million with 16
 * stations each, more than a phone collects in two years that measures every ten seconds for six hours a day.
 */
const STORAGE_MEGABYTES = 1_024;
const MEGABYTE = 1_048_576;

/**
 * Bytes of disk that the reports of an account may take; undefined = no limit, as for trusted keys without a setting
 * of their own.
 */
export function storageBytesOf({ storageMegabytes, trusted }: Account): number | undefined {
  if (storageMegabytes === undefined && trusted === true) return undefined;
  return (storageMegabytes ?? STORAGE_MEGABYTES) * MEGABYTE;
}
