// Measures accuracy: the number of scans answered, the errors of the answers, and the share of truths inside the radii of the answers.

import { distanceMetres } from '../geo/distance.ts';
import type { Position } from './mean_position.ts';
import { quantile } from './quantile.ts';
import type { Scan } from './scan.ts';

const WORST = 10;

/** An answer of the service or of a baseline. Some baselines have no radius, and none has the wider ones. */
export interface Answer {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Radius that should hold half of the truths. */
  accuracyMetres?: number;
  /** Radius that should hold 68 % of the truths. */
  accuracy68Metres?: number | undefined;
  /** Radius that should hold 95 % of the truths. */
  accuracy95Metres?: number | undefined;
}

/** The figures of one method on one set. Errors are metres, shares 0..1. A figure is null if nothing was answered, or the method has no such radius. */
export interface Accuracy {
  /** Scans tested. */
  tested: number;
  answered: number;
  answeredShare: number | null;
  median: number | null;
  p67: number | null;
  p90: number | null;
  p95: number | null;
  /** Share of the answers whose truth is inside the radius. */
  insideShare: number | null;
  /** The same for the 68 % radius and for the 95 % radius. */
  inside68Share: number | null;
  inside95Share: number | null;
}

/** An answer with a large error. */
export interface WorstCase {
  scan: string;
  track: string;
  errorMetres: number;
  accuracyMetres: number | null;
}

/** Collects the answers of one method. Holds one number for each. */
export class Tally {
  private tested = 0;
  private readonly errors: number[] = [];
  private readonly at50 = new Multiples();
  private readonly at68 = new Multiples();
  private readonly at95 = new Multiples();

  /** @param answer undefined = not answered */
  add(truth: Position, answer: Answer | undefined): void {
    this.tested++;
    if (answer === undefined) return;
    const errorMetres = errorOf(truth, answer);
    this.errors.push(errorMetres);
    this.at50.add(errorMetres, answer.accuracyMetres);
    this.at68.add(errorMetres, answer.accuracy68Metres);
    this.at95.add(errorMetres, answer.accuracy95Metres);
  }

  /** Adds all answers of another tally. */
  addAll(other: Tally): void {
    this.tested += other.tested;
    for (const error of other.errors) this.errors.push(error);
    this.at50.addAll(other.at50);
    this.at68.addAll(other.at68);
    this.at95.addAll(other.at95);
  }

  accuracy(): Accuracy {
    const answered = this.errors.length;
    const metres = (share: number) => (answered === 0 ? null : quantile(this.errors, share));
    return {
      tested: this.tested,
      answered,
      answeredShare: this.tested === 0 ? null : answered / this.tested,
      median: metres(0.5),
      p67: metres(0.67),
      p90: metres(0.9),
      p95: metres(0.95),
      insideShare: this.at50.shareInside(),
      inside68Share: this.at68.shareInside(),
      inside95Share: this.at95.shareInside(),
    };
  }

  /** The factors by which the radii for 50, 68 and 95 % would hold these shares; undefined without any. */
  honestFactors(): readonly number[] | undefined {
    if (this.at95.all.length === 0) return undefined;
    return [quantile(this.at50.all, 0.5), quantile(this.at68.all, 0.68), quantile(this.at95.all, 0.95)];
  }

  /** Share of the answers with a larger error than this; null if nothing was answered. */
  shareBeyond(metres: number): number | null {
    return this.errors.length === 0 ? null : this.errors.filter(error => error > metres).length / this.errors.length;
  }
}

/** Which multiples of the radii for one share the errors were. */
class Multiples {
  readonly all: number[] = [];

  add(errorMetres: number, radiusMetres: number | undefined): void {
    if (radiusMetres !== undefined) this.all.push(errorMetres / radiusMetres);
  }

  addAll(other: Multiples): void {
    for (const multiple of other.all) this.all.push(multiple);
  }

  shareInside(): number | null {
    return this.all.length === 0 ? null : this.all.filter(multiple => multiple <= 1).length / this.all.length;
  }
}

/** Collects the ten answers with the largest errors. */
export class WorstCases {
  private cases: WorstCase[] = [];

  /** @param answer undefined = not answered, and not a case */
  add(scan: Scan, answer: Answer | undefined): void {
    if (answer === undefined) return;
    const errorMetres = errorOf(scan, answer);
    if (this.cases.length === WORST && errorMetres <= this.cases[WORST - 1].errorMetres) return;
    this.cases.push({ scan: scan.id, track: scan.track, errorMetres, accuracyMetres: answer.accuracyMetres ?? null });
    this.cases = this.cases.sort((a, b) => b.errorMetres - a.errorMetres).slice(0, WORST);
  }

  /** The worst first. */
  list(): readonly WorstCase[] {
    return this.cases;
  }
}

function errorOf(truth: Position, answer: Answer): number {
  return distanceMetres(answer.latitude, answer.longitude, truth.latitude, truth.longitude);
}
