// Measures accuracy: the number of scans answered, the errors of the answers, and the share of truths inside the radii
// of the answers.

import { distanceMetres } from '../../src/geo/distance.ts';
import { quantile } from './quantile.ts';
import type { Position, Scan } from './scan.ts';

const WORST = 10;

/** An answer of the service, or of a method that it is compared with; not every method has every radius. */
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

/**
 * The figures of one method on one set. Errors are metres, shares 0..1. A figure is null if nothing was answered, or
 * the method has no such radius.
 */
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

/** Collects the answers of one method. Holds a few numbers for each. */
export class Tally {
  tested = 0;
  /** Metres. */
  readonly errors: number[] = [];
  /** Which multiples of the radii for 50, 68 and 95 % the errors were; for each radius of the answers that have it. */
  readonly multiples: readonly [at50: number[], at68: number[], at95: number[]] = [[], [], []];

  /** @param answer undefined = not answered */
  add(truth: Position, answer: Answer | undefined): void {
    this.tested++;
    if (answer === undefined) return;
    const errorMetres = errorOf(truth, answer);
    this.errors.push(errorMetres);
    for (const [share, radiusMetres] of [
      answer.accuracyMetres,
      answer.accuracy68Metres,
      answer.accuracy95Metres,
    ].entries())
      if (radiusMetres !== undefined) this.multiples[share].push(errorMetres / radiusMetres);
  }

  accuracy(): Accuracy {
    const answered = this.errors.length;
    const metres = (share: number) => (answered === 0 ? null : quantile(this.errors, share));
    const [insideShare, inside68Share, inside95Share] = this.multiples.map(shareInside);
    return {
      tested: this.tested,
      answered,
      answeredShare: this.tested === 0 ? null : answered / this.tested,
      median: metres(0.5),
      p67: metres(0.67),
      p90: metres(0.9),
      p95: metres(0.95),
      insideShare,
      inside68Share,
      inside95Share,
    };
  }
}

function shareInside(multiples: readonly number[]): number | null {
  return multiples.length === 0 ? null : multiples.filter(multiple => multiple <= 1).length / multiples.length;
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
