// How much of the machine the service takes: threads, where they compute, station cache and memory. `--small` is a
// switch that only changes what the others are where nobody sets them.

import { optional, setting, switchSetting } from './setting.ts';
import { coresBeside, oneOf, sameAsThreads, switched, wholeNumber } from './values.ts';

type Fallback = ReturnType<typeof setting>['fallback'];

/** What a setting is by itself: one text for a small machine, another for others. */
function unlessSmall(small: string, usual: () => string | undefined): Fallback {
  return earlier => (/^(?:true|1)$/.test(earlier.small ?? '') ? small : usual());
}

/** The rows, in the order in which they are printed. */
export const SIZE_SETTINGS = {
  small: switchSetting(
    'small',
    'for a machine with 1 GB: by itself one HTTP thread, --compute inline, --cache-mb 16, --max-memory 512',
    switched,
  ),
  httpThreads: setting(
    'http-threads',
    '<number>',
    'threads that answer HTTP, 1..64',
    unlessSmall('1', coresBeside),
    wholeNumber(1, 64),
  ),
  workers: setting(
    'workers',
    '<number>',
    'query workers, and as many workers for tasks; at least one an HTTP thread, up to 512',
    sameAsThreads,
    wholeNumber(1, 512),
  ),
  compute: setting(
    'compute',
    '<where>',
    'where positions are computed: auto, pool or inline',
    unlessSmall('inline', () => 'auto'),
    oneOf('auto', 'pool', 'inline'),
  ),
  cacheMegabytes: setting(
    'cache-mb',
    '<MB>',
    'station cache, 1..65536; 64 hold 1.5 million stations',
    unlessSmall('16', () => '64'),
    wholeNumber(1, 65_536),
  ),
  maxMemoryMegabytes: {
    ...optional(
      'max-memory',
      '<MB>',
      'most memory of the process, 1..1048576; without it there is no limit',
      wholeNumber(1, 1_048_576),
    ),
    fallback: unlessSmall('512', () => undefined),
  },
};
