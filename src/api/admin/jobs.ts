// Jobs that take long: a removal may learn everything anew. The request is answered when the owner of the data folder
// has the job; how far it has come is asked for separately, as for imports.

import { type Job, messageOf, type Progress } from '../../jobs/job.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { parseStation } from '../../radio/station_name.ts';
import { identitiesOf } from '../../tasks/pack_reports.ts';

/** What somebody wants to be forgotten: exactly one of the first four. */
export interface Forgettable {
  stations?: string[];
  contributor?: number;
  device?: string;
  report?: number;
  /** With `stations`: they may be learned again. */
  mayReturn?: boolean;
  /** With `device`: only of this key. */
  account?: number;
}

/** A job, as the interface shows it. */
interface JobState {
  id: number;
  verb: Job['verb'];
  state: 'running' | 'done' | 'failed';
  progress?: Progress;
  result?: unknown;
  error?: string;
}

/** Jobs that run or wait for the owner. */
const OPEN_MAX = 8;
/** Jobs that are remembered once they have ended. */
const ENDED_MAX = 100;

/** The long jobs of a running service. */
export class Jobs {
  private readonly folder: string;
  private readonly states: JobState[] = [];
  private lastId = 0;

  /** @param folder data folder */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Jobs in the order in which they were begun. */
  list(): readonly JobState[] {
    return this.states;
  }

  get(id: number): JobState | undefined {
    return this.states.find(state => state.id === id);
  }

  /** Begins a job. @throws Refused when too many are under way */
  begin(job: Job): JobState {
    if (this.states.filter(({ state }) => state === 'running').length >= OPEN_MAX)
      throw new Refused(429, `${OPEN_MAX} jobs are under way; wait until one has ended.`);
    const state: JobState = { id: ++this.lastId, verb: job.verb, state: 'running' };
    this.states.push(state);
    const ended = this.states.filter(each => each.state !== 'running');
    if (ended.length > ENDED_MAX) this.states.splice(this.states.indexOf(ended[0]), 1);
    void this.run(state, job);
    return { ...state };
  }

  /**
   * Begins to forget. @throws Refused when members do not go together, a name names no station, the logged request is
   * not there whole, or too many jobs are under way
   */
  async forget({ stations, contributor, device, report, mayReturn, account }: Forgettable): Promise<JobState> {
    if (mayReturn !== undefined && stations === undefined) throw new Refused(400, 'mayReturn goes with stations only.');
    if (account !== undefined && device === undefined) throw new Refused(400, 'account goes with device only.');
    for (const name of stations ?? []) orRefuse(400, () => parseStation(name));
    if (stations !== undefined)
      return this.begin({ verb: 'forget', what: 'stations', names: stations, ...(mayReturn && { mayReturn }) });
    if (contributor !== undefined) return this.begin({ verb: 'forget', what: 'contributor', id: contributor });
    if (device !== undefined)
      return this.begin({ verb: 'forget', what: 'device', device, ...(account !== undefined && { account }) });
    const logged = await askOwner(this.folder, { verb: 'log', id: report! }, () => {});
    const identities = orRefuse(409, () => identitiesOf(report!, logged));
    return this.begin({ verb: 'forget', what: 'report', logId: report!, identities });
  }

  private async run(state: JobState, job: Job): Promise<void> {
    try {
      state.result = await askOwner(this.folder, job, progress => {
        state.progress = progress;
      });
      state.state = 'done';
    } catch (error) {
      Object.assign(state, { state: 'failed', error: messageOf(error) });
    }
  }
}

/** Makes an error a refusal. */
function orRefuse<T>(status: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Refused(status, (error as Error).message);
  }
}

/** Why a request of the admin interface is refused although its form is right, and with which status. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
