// What lab/scaling.md assumes and nobody has measured here: what is asked of the service, and the machines. Each is a
// parameter of `npx node lab/scaling/main.ts`.

import type { Core, Demand } from './designs.ts';

/** A service for all devices of the internet. */
export const INTERNET: Demand = {
  accessPoints: 1.5e9,
  cells: 1e8,
  requestsPerSecond: 1e6,
  observationsPerDay: 1e9,
  stationsPerRequest: 16,
  observationPeak: 2,
  skew: 1,
  keptDays: 365,
};

/**
 * A virtual core of rented machines with local disks, of which a machine has 4 to 128. Memory, disk and price are
 * those of the i4i family of Amazon, 10.892 dollars an hour for 128 cores with 1,024 GiB and 8 disks of 3,750 GB, as of
 * 2022 (https://aerospike.com/blog/aws-i4i-instances-superior-performance/, read 2026-11-26). Page reads are our
 * assumption: 400,000 a second for each disk of 3,750 GB.
 */
export const RENTED: Core = {
  memoryBytes: 8 * 2 ** 30,
  diskBytes: (8 * 3.75e12) / 128,
  pageReads: (8 * 400_000) / 128,
  price: 10.892 / 128,
};

/** One way between two machines of a data centre, microseconds: our assumption. */
export const NETWORK_MICROSECONDS = 100;
/** How long a machine that does not answer is waited for, and after which a question is asked once more. */
export const TIMEOUT_MICROSECONDS = 50_000;
export const HEDGE_MICROSECONDS = 2_000;
