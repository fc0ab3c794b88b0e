// Jobs that take long: a removal may learn everything anew. The request is answered when the owner of the data folder
// has the job; how far it has come is asked for separately, as for imports.

import { checkTables } from '../../check/check_folder.ts';
import { type Job, messageOf, type Progress } from '../../jobs/job.ts';
import { readDaysOfStations } from '../../jobs/known_stations.ts';
import { askOwner } from '../../jobs/submit_job.ts';
import { formatStation, parseStation } from '../../radio/station_name.ts';
import { identitiesOf } from '../../tasks/pack_reports.ts';
import { Refused } from '../transport/refused.ts';

/** What somebody wants to be forgotten: exactly one of the first four. */
interface Forgettable {
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
  verb: Job['verb'] | 'check' | 'days';
  state: 'running' | 'done' | 'failed';
  progress?: Progress;
  percent?: number;
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
  private readonly stop = new AbortController();
  private lastId = 0;

  /** @param folder data folder */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Jobs in the order in which they were begun. */
  list(): readonly JobState[] {
    return this.states;
  }

  /** @throws Refused when there is none */
  get(id: number): JobState {
    const state = this.states.find(each => each.id === id);
    if (state === undefined) throw new Refused(404, `There is no job ${id}.`);
    return state;
  }

  /** Begins a job. @throws Refused when too many are under way */
  begin(job: Job): JobState {
    return this.start(job.verb, onProgress => askOwner(this.folder, job, onProgress));
  }

  /** Begins to check all tables. @throws Refused as `beginAlone` */
  check(isQuick: boolean): JobState {
    this.requireNone('check');
    return this.start('check', onProgress => checkTables(this.folder, isQuick, onProgress, this.stop.signal));
  }

  /**
   * Begins to read where a station was heard on each day. @throws Refused as `beginAlone`, and when the name names no
   * station
   */
  days(name: string): JobState {
    const keys = orRefuse(400, () => parseStation(name));
    this.requireNone('days');
    const { signal } = this.stop;
    return this.start('days', async onProgress => {
      const days = await readDaysOfStations(this.folder, keys, (done, total) => {
        if (signal.aborted) throw new Error('The service is stopping.');
        onProgress({ phase: 'reading', rows: done, bytesDone: done, bytesTotal: total });
      });
      return { stations: keys.map((key, k) => ({ station: formatStation(key), days: days[k] })) };
    });
  }

  /** Begins a job of which one may run at a time. @throws Refused when one does, or too many are under way */
  beginAlone(job: Job): JobState {
    this.requireNone(job.verb);
    return this.begin(job);
  }

  /** Ends what only reads. */
  close(): void {
    this.stop.abort();
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

  private requireNone(verb: JobState['verb']): void {
    const running = this.states.find(state => state.verb === verb && state.state === 'running');
    if (running !== undefined)
      throw new Refused(409, `Job ${running.id} is doing this already; wait until it has ended.`);
  }

  private start(verb: JobState['verb'], run: (onProgress: (progress: Progress) => void) => Promise<unknown>): JobState {
    if (this.states.filter(({ state }) => state === 'running').length >= OPEN_MAX)
      throw new Refused(429, `${OPEN_MAX} jobs are under way; wait until one has ended.`);
    const state: JobState = { id: ++this.lastId, verb, state: 'running' };
    this.states.push(state);
    const ended = this.states.filter(each => each.state !== 'running');
    if (ended.length > ENDED_MAX) this.states.splice(this.states.indexOf(ended[0]), 1);
    const done = run(progress => Object.assign(state, { progress, percent: percentOf(progress) }));
    void done.then(
      result => Object.assign(state, { state: 'done', percent: 100, result }),
      error => Object.assign(state, { state: 'failed', error: messageOf(error) }),
    );
    return { ...state };
  }
}

/** How far a phase has come, of a hundred; undefined where nobody knows. */
export function percentOf({ bytesDone, bytesTotal }: Pick<Progress, 'bytesDone' | 'bytesTotal'>): number | undefined {
  return bytesTotal > 0 ? Math.min(100, Math.floor((100 * bytesDone) / bytesTotal)) : undefined;
}

/** Makes an error a refusal. @throws Refused */
export function orRefuse<T>(status: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Refused(status, (error as Error).message);
  }
}
