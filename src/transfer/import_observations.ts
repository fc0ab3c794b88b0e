// Imports files of measurements. Each file is read as drafts, the rules of intake turn them into reports, and the
// reports go to the observation log in batches, a few at a time. Reports that the log has acknowledged stay even if the
// import ends early; importing a file again adds only the missing ones.

import type { Readable } from 'node:stream';
import type { Origin, ReportDraft } from '../intake/draft.ts';
import { INTAKE_RULES } from '../intake/rules.ts';
import { screenReport } from '../intake/screen.ts';
import { Tally } from '../intake/tally.ts';
import { kindOfNetworkType } from '../radio/cell_kind.ts';
import { radioOfKind } from '../radio/kind.ts';
import { FLAG_SERVING } from '../radio/query/layout.ts';
import { StoredObservations } from '../radio/query/stored.ts';
import { packReports, type Report, trackOf, trackOfBatch } from '../tables/observations/report.ts';
import { STDIN } from '../tables/sources/source_name.ts';
import { type MostlyRefused, Refusals, type RefusedLine, RowTally, requireRows } from './files/refused_lines.ts';
import { sizeOfFiles } from './files/text_file.ts';
import type { FoundDraft, ObservationFormat, Refuse } from './formats/found_draft.ts';
import { type ObservationFile, openObservations } from './formats/observation_file.ts';

/** What to import, and where to. */
export interface ObservationImport {
  /** Paths; `-` for `stdin`. */
  files: readonly string[];
  /** Refuses files of any other; otherwise each file's own. */
  format?: ObservationFormat;
  stdin: Readable;
  /** Appends a buffer of `packReports` to the log; resolves when it is acknowledged. */
  append(reports: Uint8Array<ArrayBuffer>): Promise<{ accepted: number; duplicates: number; optedOut?: number }>;
  /** Called at most a few times a second. What it throws ends the import. */
  onProgress(progress: ObservationProgress): void;
}

/** Progress of an import. */
export interface ObservationProgress {
  phase: 'importing';
  /** Reports read. */
  rows: number;
  bytesDone: number;
  /** 0 while standard input is read, as its length is unknown. */
  bytesTotal: number;
}

/** The result of an import. */
export interface ObservationSummary {
  /** Reports read. */
  reports: number;
  /** Reports that are new in the log. */
  accepted: number;
  /** Reports that the log held already. */
  duplicates: number;
  /** Reports that a rule has refused. */
  refused: number;
  refusedByRule: Record<string, number>;
  /** Stations in reports that passed, including duplicates. */
  observations: number;
  /** Stations left out of their reports, by rule. */
  observationsByRule: Record<string, number>;
  /** Lines that could not be read. */
  unreadable: number;
  unreadableByRule: Record<string, number>;
  /** The first five lines of either kind that were refused. */
  refusedLines: RefusedLine[];
  /** Files of which less than half was taken; absent where there are none. */
  mostlyRefused?: MostlyRefused[];
}

const BATCH_REPORTS = 1_000;
/** Reports of malls have hundreds of stations: a batch ends early by its size. */
const BATCH_OBSERVATION_BYTES = 1_048_576;
/** Batches awaiting acknowledgement: the next is prepared while the log commits. */
const BATCHES_UNDER_WAY = 3;
const PROGRESS_MS = 250;

/**
 * Imports files of measurements. What is wrong in a file is counted and left out.
 * @throws Error when a file is missing or of no known format, before anything is imported; when nothing in any was
 *   understood, saying what was seen; when a file is damaged or
 *   the log refuses a batch, after everything
 *   before that is imported
 */
export async function importObservations(wanted: ObservationImport): Promise<ObservationSummary> {
  if (wanted.files.filter(path => path === STDIN).length > 1)
    throw new Error('Standard input can be read only once, but "-" is given more often.');
  const bytesTotal = sizeOfFiles(wanted.files);
  for (const path of wanted.files)
    if (path !== STDIN) (await openObservations(path, wanted.stdin, wanted.format)).close();
  const reading = new Import(wanted, wanted.files.includes(STDIN) ? 0 : bytesTotal);
  try {
    for (const path of wanted.files) await reading.readFile(path);
  } finally {
    await reading.settled();
  }
  const summary = reading.summary();
  requireRows(summary.reports + summary.unreadable, summary.mostlyRefused ?? []);
  return summary;
}

class Import {
  private readonly wanted: ObservationImport;
  private readonly bytesTotal: number;
  /** What was measured later than this lies in the future. */
  private readonly receivedMs = Date.now();
  private readonly tally = new Tally();
  private readonly refusals = new Refusals();
  private readonly mostlyRefused: MostlyRefused[] = [];
  private readonly underWay: Promise<void>[] = [];
  private batch: Report[] = [];
  private batchBytes = 0;
  private accepted = 0;
  private duplicates = 0;
  private reports = 0;
  private bytesBefore = 0;
  private reportedAt = 0;

  constructor(wanted: ObservationImport, bytesTotal: number) {
    this.wanted = wanted;
    this.bytesTotal = bytesTotal;
  }

  async readFile(path: string): Promise<void> {
    const file = await openObservations(path, this.wanted.stdin, this.wanted.format);
    const track = trackOfBatch(0, file.mark);
    const damage: { error?: unknown } = {};
    const tally = new RowTally();
    const refuse: Refuse = (name, line, refusal) => {
      this.refusals.add(name, line, refusal);
      tally.refuse(refusal.rule, 1, () => refusal.why);
    };
    try {
      for await (const found of untilDamaged(file, refuse, damage)) {
        for (const draft of found) if (this.screen(draft, track, tally)) await this.sendBatch();
        this.report(file);
      }
      if (damage.error === undefined)
        this.mostlyRefused.push(
          ...[tally.mostlyRefused(file.name, () => file.seen?.())].filter(found => found !== undefined),
        );
    } finally {
      file.close();
    }
    await this.sendBatch();
    if (damage.error !== undefined) await this.endEarly(damage.error as Error);
    this.bytesBefore += file.bytesRead();
  }

  /** Ends with an error message that says what is imported, since what the log has acknowledged stays. */
  private async endEarly(error: Error): Promise<never> {
    await Promise.all(this.underWay);
    if (this.accepted + this.duplicates === 0) throw error;
    const stored = (this.accepted + this.duplicates).toLocaleString('en');
    throw new Error(
      `${error.message} What stands before it is imported (${stored} reports); importing it again counts none ` +
        `of them twice.`,
    );
  }

  /** @returns whether the batch is full */
  private screen(found: FoundDraft, fileTrack: number, rows: RowTally): boolean {
    this.reports++;
    nameRadioTypes(found.draft);
    const origin = this.originOf(found, fileTrack);
    if (found.exported?.timed === false) delete found.draft.timeMs;
    const report = screenReport(found.draft, origin, this.tally);
    if (report === undefined) {
      const broken = rulesBroken(found, origin);
      this.refusals.keep(found.file, found.line, () => `${broken.join(', ')}: ${describeRule(broken.at(-1))}`);
      rows.refuse(broken[0], found.rows ?? 1, () => `${broken[0]}: ${describeRule(broken[0])}`);
      return false;
    }
    rows.take(found.rows ?? 1);
    if (found.exported !== undefined) restoreServing(report, found);
    this.batch.push(report);
    this.batchBytes += report.observations.length;
    return this.batch.length === BATCH_REPORTS || this.batchBytes >= BATCH_OBSERVATION_BYTES;
  }

  private originOf({ device, draft, exported }: FoundDraft, fileTrack: number): Origin {
    const { receivedMs } = this;
    if (exported === undefined) {
      return {
        contributor: 0,
        isTrusted: true,
        track: device === undefined ? fileTrack : trackOf(0, device),
        receivedMs,
      };
    }
    const { contributor, trusted, track, timed } = exported;
    return { contributor, isTrusted: trusted, track, receivedMs: timed ? receivedMs : draft.timeMs! };
  }

  /** Sends the batch, waiting first until there is room for one more. */
  private async sendBatch(): Promise<void> {
    if (this.batch.length === 0) return;
    const packed = packReports(this.batch);
    this.batch = [];
    this.batchBytes = 0;
    while (this.underWay.length >= BATCHES_UNDER_WAY) await this.underWay.shift();
    const sent = this.wanted.append(packed).then(({ accepted, duplicates, optedOut = 0 }) => {
      this.accepted += accepted;
      this.duplicates += duplicates;
      this.tally.refuse('opted out', optedOut);
    });
    // Whoever waits for the batch gets the failure; until then it must not count as unhandled.
    sent.catch(() => {});
    this.underWay.push(sent);
  }

  /** Waits for all batches, also after a failure. @throws the error of the first that failed */
  async settled(): Promise<void> {
    const outcomes = await Promise.allSettled(this.underWay);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  summary(): ObservationSummary {
    const { refused, acceptedObservations, refusedByRule } = this.tally.toJSON();
    const byRule = (what: 'report' | 'observation') =>
      Object.fromEntries(
        INTAKE_RULES.filter(rule => rule.refuses === what).flatMap(({ name }) => {
          const count = refusedByRule[name];
          return count === undefined ? [] : [[name, count]];
        }),
      );
    return {
      reports: this.reports,
      accepted: this.accepted,
      duplicates: this.duplicates,
      refused,
      refusedByRule: byRule('report'),
      observations: acceptedObservations,
      observationsByRule: byRule('observation'),
      unreadable: this.refusals.total,
      unreadableByRule: this.refusals.byRule,
      refusedLines: inOrder(this.refusals.firstLines),
      ...(this.mostlyRefused.length > 0 && { mostlyRefused: this.mostlyRefused }),
    };
  }

  private report(file: ObservationFile): void {
    const now = performance.now();
    if (now - this.reportedAt < PROGRESS_MS) return;
    this.reportedAt = now;
    this.wanted.onProgress({
      phase: 'importing',
      rows: this.reports,
      bytesDone: this.bytesBefore + file.bytesRead(),
      bytesTotal: this.bytesTotal,
    });
  }
}

/** Sorts by file and line: within one block, unreadable lines are found before those that a rule refuses. */
function inOrder(lines: readonly RefusedLine[]): RefusedLine[] {
  const files = [...new Set(lines.map(({ file }) => file))];
  return lines.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line);
}

/** The drafts of a file up to the first damage. */
async function* untilDamaged(
  file: ObservationFile,
  refuse: Refuse,
  damage: { error?: unknown },
): AsyncGenerator<FoundDraft[]> {
  try {
    yield* file.drafts(refuse);
  } catch (error) {
    damage.error = error;
  }
}

/** Puts radio types in the place of what recorders call networks, in the cells and for those that name none. */
function nameRadioTypes(draft: ReportDraft): void {
  const typeOf = (name: unknown): unknown => radioOfKind(kindOfNetworkType(name)) ?? name;
  if (draft.radioType !== undefined) draft.radioType = typeOf(draft.radioType);
  for (const cell of draft.cellTowers ?? []) {
    if (typeof cell === 'object' && cell !== null && 'radioType' in cell) cell.radioType = typeOf(cell.radioType);
  }
}

/** Names of the rules that a refused report breaks, those of its observations first. */
function rulesBroken({ draft }: FoundDraft, origin: Origin): string[] {
  const tally = new Tally();
  screenReport(draft, origin, tally);
  return Object.keys(tally.toJSON().refusedByRule);
}

function describeRule(name: string | undefined): string | undefined {
  return INTAKE_RULES.find(rule => rule.name === name)?.description;
}

/**
 * Readers mark the first cell as serving when none is. In our own export none may be, because a rule refused the
 * serving cell.
 */
function restoreServing(report: Report, { draft }: FoundDraft): void {
  const isMarked = (draft.cellTowers ?? []).some(cell => (cell as { serving?: unknown } | null)?.serving === 1);
  if (isMarked) return;
  const observations = new StoredObservations(report.observations);
  for (let i = 0; i < observations.count; i++) observations.clearFlags(i, FLAG_SERVING);
}
