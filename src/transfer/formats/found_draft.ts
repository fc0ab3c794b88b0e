// The formats of files of measurements, and the result of every reader.

import type { ReportDraft } from '../../intake/draft.ts';
import type { Refusal } from '../files/refused_lines.ts';

/** Formats by their names on the command line. */
export const OBSERVATION_FORMATS = [
  'wigle',
  'neostumbler',
  'towercollector',
  'cellmapper',
  'gnettrack',
  'networksurvey',
  'kismet',
  'geosubmit',
  'scans',
] as const;
export type ObservationFormat = (typeof OBSERVATION_FORMATS)[number];

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
