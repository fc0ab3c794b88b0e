// The way from one point to its place, for whoever asks why (explained_point.ts). The code that answers fills it; a
// point of which nobody asks has none.

import type { PointHit, PointQuestion } from './hit.ts';

/**
 * What decided beside the rules of a layer (hit.ts):
 *
 *   abroad            the nearest place is in another country, so a region is the answer
 *   extractHasNone    the extract has no place here
 *   extractIsCoarse   the extract has only the country here
 *   atSea             the point is beyond the territorial sea
 *   townOfWorld       the extract has no town around the place, and the gazetteer names it
 */
export const POINT_NOTES = ['abroad', 'extractHasNone', 'extractIsCoarse', 'atSea', 'townOfWorld'] as const;
/** One of them. */
export type PointNote = (typeof POINT_NOTES)[number];

/** Steps from a point to its place. */
export const POINT_STAGES = ['country', 'extract', 'world', 'describe'] as const;
type PointStage = (typeof POINT_STAGES)[number];

/** The way from one point to its place. */
export class PointRecord {
  /** The question to the layers. */
  question: PointQuestion;
  /** What answers; undefined if nothing does. */
  answer: { isWorld: boolean; hit: PointHit } | undefined;
  readonly notes: PointNote[] = [];
  readonly stages: { stage: PointStage; microseconds: number }[] = [];
  private since = performance.now();

  constructor({ latitude, longitude, zoom, layers }: Omit<PointQuestion, 'countryCode'>) {
    this.question = { latitude, longitude, zoom, layers, countryCode: '' };
  }

  /** Notes that the country of the point is known. @param question to the layers */
  begin(question: PointQuestion): void {
    this.question = question;
    this.stage('country');
  }

  /** Notes what decided. */
  note(note: PointNote): void {
    if (!this.notes.includes(note)) this.notes.push(note);
  }

  /** Notes a step that has ended now; it began when the one before it ended. */
  stage(stage: PointStage): void {
    const now = performance.now();
    this.stages.push({ stage, microseconds: Math.round((now - this.since) * 1_000) });
    this.since = now;
  }
}
