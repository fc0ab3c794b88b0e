// Parses and reads a large body of POST /reverse in a compute worker.

import type { Answerer } from '../pool/answerer.ts';
import { parseChecked } from '../protocol/requests/body.ts';
import type { AnswerForm } from '../protocol/requests/place_question.ts';
import { type PointList, readPoints } from '../protocol/requests/points.ts';

/** Input from the HTTP thread. */
interface LargePoints {
  bytes: Uint8Array;
  form: AnswerForm;
}

/** Reads the points of one body. @throws ApiError parseError */
export function readLargePoints(_: Answerer, { bytes, form }: LargePoints): PointList {
  return readPoints(parseChecked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), form);
}
