// What a log of reports leads to in real tables, with the tests that the reports go through before they are learned.

import { onTestFinished } from 'vitest';
import { distanceMetres } from '../../../src/geo/distance.ts';
import { Aggregation } from '../../../src/learning/aggregate.ts';
import { factorsOfVotes } from '../../../src/learning/calibration/factors_of_votes.ts';
import { ReportLocator, type Tested } from '../../../src/learning/calibration/report_locator.ts';
import { Trials } from '../../../src/learning/calibration/trials.ts';
import { StoredObservations } from '../../../src/radio/query/stored.ts';
import { keyBytesOfKind } from '../../../src/radio/station_key.ts';
import { addMeasured, type Measured, newMeasured } from '../../../src/tables/calibration/measured.ts';
import { levelsOf, regionAt } from '../../../src/tables/calibration/rows.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { describeGeneration, openGeneration, startGeneration } from '../../../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../../../src/tables/stations/knowledge.ts';
import { temporaryFolder } from '../temporary_folder.ts';

const locator = new ReportLocator();

/** An estimate with the radii as tests have shown them to be worth. */
interface Located extends Tested {
  calibrated: number[];
  errorMetres: number;
}

export class MeasuredWorld {
  readonly knowledge: KnowledgeTables;
  private sequence = 0;

  /** @param knowledge of tables that somebody else fills; without them, it has its own */
  constructor(knowledge = newKnowledge()) {
    this.knowledge = knowledge;
  }

  /** A world that has learned the same. */
  async copy(): Promise<MeasuredWorld> {
    const path = temporaryFolder();
    await this.knowledge.generation.root.backup(path, true);
    const generation = openGeneration(path);
    onTestFinished(() => generation.root.close());
    const world = new MeasuredWorld(new KnowledgeTables(generation));
    world.sequence = this.sequence;
    return world;
  }

  /** Learns reports, so many in a batch. */
  learn(reports: readonly Report[], batch = 400, isTested = true): this {
    const { root } = this.knowledge.generation;
    for (let from = 0; from < reports.length; from += batch) {
      const aggregation = new Aggregation(this.knowledge, isTested ? new Trials(this.knowledge, locator) : undefined);
      for (const each of reports.slice(from, from + batch)) aggregation.add(++this.sequence, each, each.timeMs);
      root.transactionSync(() => this.knowledge.write(aggregation.changes()));
    }
    return this;
  }

  /** Learns reports without any test. */
  learnUntested(reports: readonly Report[]): this {
    return this.learn(reports, 400, false);
  }

  /** All stations and what is learned of them, as text. */
  stations(): string[] {
    const { stations, learned } = this.knowledge.generation;
    return [stations, learned].flatMap(table =>
      [...table.getRange()].map(({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`),
    );
  }

  /** What the tests found, all together. */
  measured(): Measured {
    const all = newMeasured();
    for (const { measured } of this.knowledge.calibration.allMeasured()) addMeasured(all, measured);
    return all;
  }

  /** The estimates for a report, with the radii as tests have shown them to be worth, and the errors. */
  locate(report: Report): Located[] {
    const observations = new StoredObservations(report.observations);
    const stations = Array.from({ length: observations.count }, (_, i) => {
      const at = observations.at(i);
      return this.knowledge.stationNow(
        Buffer.from(observations.bytes.subarray(at, at + keyBytesOfKind(observations.kind(i)))),
      );
    });
    return locator.locate(observations, stations).map(tested => {
      const { latitude, longitude, group } = tested.estimate;
      const factors = this.factors(group, regionAt(latitude, longitude));
      return {
        ...tested,
        calibrated: tested.radii.map((radius, share) => radius * factors[share]),
        errorMetres: distanceMetres(latitude, longitude, report.latitude, report.longitude),
      };
    });
  }

  /** The factors for a group of estimates in a region. */
  factors(group: number, region: number): readonly number[] {
    const { calibration } = this.knowledge;
    return factorsOfVotes(levelsOf(group, region).map(place => calibration.votes(place)));
  }

  /** Shares of the truths inside the radii for 50, 68 and 95 %. @param isCalibrated false = the radii of the source */
  inside(reports: readonly Report[], isCalibrated = true): number[] {
    const answers = reports.flatMap(report => this.locate(report));
    const isInside = (share: number) => (answer: (typeof answers)[number]) =>
      answer.errorMetres <= (isCalibrated ? answer.calibrated : answer.radii)[share];
    return [0, 1, 2].map(share => answers.filter(isInside(share)).length / answers.length);
  }

  /** The whole calibration, as text that can be compared. */
  dump(): string {
    return [...this.knowledge.generation.calibration.getRange()]
      .map(({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`)
      .join('\n');
  }
}

/** Empty tables, until the test has ended. */
export function newKnowledge(): KnowledgeTables {
  const { generation } = startGeneration(temporaryFolder());
  onTestFinished(() => generation.root.close());
  generation.root.transactionSync(() => describeGeneration(generation, 0));
  return new KnowledgeTables(generation);
}
