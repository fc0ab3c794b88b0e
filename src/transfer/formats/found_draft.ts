// The result of every reader of a file of measurements.

import type { ReportDraft } from '../../intake/draft.ts';
import type { Refusal } from '../files/refused_lines.ts';

/** A draft, and its position in the file. */
export interface FoundDraft {
  draft: ReportDraft;
  /** Of the file, as in messages. */
  file: string;
  /** Line on which it begins, from 1. */
  line: number;
  /** Rows of a table that it was made of; 1 where it is not said. */
  rows?: number;
  /** Name of the device or of its track, where the file states one. */
  device?: string;
  /** Origin of the report, from our own export. */
  exported?: ExportedOrigin;
}

/** The member `sextant` of a line that `export observations` wrote. */
export interface ExportedOrigin {
  /** Account, 0..1,048,575. */
  contributor: number;
  trusted: boolean;
  /** Pseudonym of the device, 0..2^53-1. */
  track: number;
  /** The client named the time of the report. */
  timed: boolean;
}

/** Called for each line that is left out. */
export type Refuse = (file: string, line: number, refusal: Refusal) => void;
