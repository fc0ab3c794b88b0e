// Locates a device and explains how: by the code that locates all others, with a recorder.

import type { Answerer } from '../answer/answerer.ts';
import { explanationOf } from '../answer/explain/explain.ts';
import type { Explanation } from '../answer/explain/explanation.ts';
import { PositionRecorder } from '../positioning/estimates/recorder.ts';
import type { PositionBody } from '../protocol/requests/schema.ts';
import type { LeftOut } from '../radio/query/left_out.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import type { DeviceState } from '../tracking/state_token.ts';
import { type Located, orRefuse, PositionQuery } from './locate.ts';

/** A position that is to be explained. */
export interface ExplainedQuestion {
  /** Has passed `checkStructure`. */
  body: PositionBody;
  /** Milliseconds since 1970. */
  arrivalMs: number;
  /** WANTS_* bits. */
  wants: number;
  /** Who asks, from `askerOf`; 0 = the operator. */
  asker: number;
  /** Of the device, as far as it is known. */
  state: DeviceState | undefined;
}

/** A position and how it came about. */
export type ExplainedPosition = Located & { explanation: Explanation };

/** Locates and explains. @throws Error when a table is damaged; ApiError strayLimitExceeded */
export function explainPosition(
  answerer: Answerer,
  { body, arrivalMs, wants, asker, state }: ExplainedQuestion,
): ExplainedPosition {
  const recorder = new PositionRecorder();
  const leftOut: LeftOut[] = [];
  const query = new PositionQuery(body, arrivalMs, wants, asker, state, leftOut);
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(query.observations, wants)));
  query.write(new QueryWriter(memory), 0);
  recorder.stage('reading');
  answerer.answer(memory, 0, recorder);
  const located = orRefuse(query.read(memory, 0));
  const { position: found, outcome } = located;
  const answered = { body, leftOut, query: new QueryReader(memory, 0), found, confidence: outcome.confidence };
  return { ...located, explanation: explanationOf(answered, recorder) };
}
