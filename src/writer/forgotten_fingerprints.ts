// What of the fingerprints goes with what is forgotten. Those of reports follow the log, which was written anew; this is for what the log does not hold: surveys, and
// reports that were dropped by age.

import type { FingerprintsJob, ForgetJob } from '../jobs/job.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import { tracksOf } from './forgetting.ts';

/** The job on fingerprints that belongs to one of forgetting. */
export function fingerprintsToForget(job: ForgetJob, accounts: AccountTable): FingerprintsJob {
  const forget = { verb: 'fingerprints', action: 'forget' } as const;
  switch (job.what) {
    case 'stations':
      return { ...forget, stations: job.names };
    case 'contributor':
      return { ...forget, contributor: job.id };
    case 'device':
      return { ...forget, tracks: tracksOf(job, accounts) };
    case 'report':
      return { ...forget, identities: job.identities };
    case 'source':
      return { verb: 'fingerprints', action: 'learn' };
  }
}
