// Checks some answers of a server before it is measured: a fast wrong answer is worth nothing. Answers are compared
// with the true positions of the requests.

import { metresTo } from '../test/kits/radio/ground.ts';
import { renderBody, scanAt } from './requests.ts';
import type { Server } from './server.ts';
import { median } from './statistics.ts';
import type { World } from './world.ts';

const CHECKED = 200;
const ANSWERED_AT_LEAST = 0.99;
/** Half the range in which a device hears access points. A larger median error means that the answers are wrong. */
const MEDIAN_ERROR_LIMIT_METRES = 40;

export interface AnswerCheck {
  /** Metres between answer and truth, median. */
  medianErrorMetres: number;
  /** Mean bytes of a reply's body. */
  replyBytes: number;
}

/**
 * Sends the first requests of the world and checks the answers.
 * @throws Error when too few are answered, or the positions are wrong
 */
export async function checkAnswers(server: Server, world: World, path: string): Promise<AnswerCheck> {
  const errors: number[] = [];
  let replyBytes = 0;
  for (let number = 0; number < CHECKED; number++) {
    const scan = scanAt(world, number);
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: renderBody(scan),
    });
    const text = await answer.text();
    if (answer.status === 404) continue;
    if (answer.status !== 200) throw new Error(`${server.name} answers ${answer.status}: ${text.slice(0, 400)}`);
    const { location } = JSON.parse(text) as { location: { lat: number; lng: number } };
    errors.push(metresTo([location.lat, location.lng], scan));
    replyBytes += Buffer.byteLength(text) / CHECKED;
  }
  if (errors.length < ANSWERED_AT_LEAST * CHECKED)
    throw new Error(`${server.name} placed ${errors.length} of ${CHECKED} devices; is its table the world's?`);
  const medianErrorMetres = median(errors);
  if (medianErrorMetres > MEDIAN_ERROR_LIMIT_METRES)
    throw new Error(`${server.name} is ${medianErrorMetres.toFixed(0)} m off in the median.`);
  return { medianErrorMetres, replyBytes };
}
