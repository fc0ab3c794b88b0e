// What is measured: how many scans were answered, how far off the answers lie, and how many truths lie inside the radius that came with them.

import { distanceMetres } from '../geo/distance.ts';
import { quantile } from './quantile.ts';
import type { Scan } from './scan.ts';

const WORST = 10;

/** An answer: from the service, or from a baseline; not every baseline has a radius. */
export interface Answer {
  /** Degrees. */
  latitude: number;
  longitude: number;
  accuracyMetres?: number;
}

/** The figures of one method on one set. Metres; shares are 0..1; null where nothing was answered, or where the method has no radius. */
export interface Accuracy {
  /** Scans tested. */
  tested: number;
  answered: number;
  answeredShare: number | null;
  median: number | null;
  p67: number | null;
  p90: number | null;
  p95: number | null;
  /** Share of the answered whose truth lies inside the radius. */
  insideShare: number | null;
}

/** An answer that is far off. */
export interface WorstCase {
  scan: string;
  track: string;
  errorMetres: number;
  accuracyMetres: number | null;
}

/** Collects the answers of one method. Holds a number for each answer and the ten worst, whatever the size of the set. */
export class Tally {
  private tested = 0;
  private readonly errors: number[] = [];
  private inside = 0;
  private withRadius = 0;
  private worst: WorstCase[] = [];

  /** @param answer undefined = not answered */
  add(scan: Scan, answer: Answer | undefined): void {
    this.tested++;
    if (answer === undefined) return;
    const { accuracyMetres } = answer;
    const errorMetres = distanceMetres(answer.latitude, answer.longitude, scan.latitude, scan.longitude);
    this.errors.push(errorMetres);
    if (accuracyMetres !== undefined) {
      this.withRadius++;
      if (errorMetres <= accuracyMetres) this.inside++;
    }
    if (this.worst.length === WORST && errorMetres <= this.worst[WORST - 1].errorMetres) return;
    this.worst.push({ scan: scan.id, track: scan.track, errorMetres, accuracyMetres: accuracyMetres ?? null });
    this.worst = this.worst.sort((a, b) => b.errorMetres - a.errorMetres).slice(0, WORST);
  }

  /** Takes in all of another tally but its worst cases, whose names mean something only in their own set. */
  addAll(other: Tally): void {
    this.tested += other.tested;
    for (const error of other.errors) this.errors.push(error);
    this.inside += other.inside;
    this.withRadius += other.withRadius;
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
      insideShare: this.withRadius === 0 ? null : this.inside / this.withRadius,
    };
  }

  /** The ten answers that are furthest off, the worst first. */
  worstCases(): readonly WorstCase[] {
    return this.worst;
  }
}
