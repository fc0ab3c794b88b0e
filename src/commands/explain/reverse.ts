// Explains the place of a point.

import type { Answerer } from '../../answer/answerer.ts';
import { readReverse } from '../../protocol/requests/place_question.ts';
import type { Explained } from './explained.ts';
import { describePoint } from './point_text.ts';

const PATH = '/reverse?';

/**
 * @param asked latitude and longitude, or the path of a request with its parameters @throws ApiError when one cannot be
 * used
 */
export async function explainReverse({ geocoder }: Answerer, asked: string): Promise<Explained> {
  const [latitude, longitude = ''] = asked.split(',', 2);
  const path = asked.startsWith(PATH)
    ? asked
    : `${PATH}${new URLSearchParams({ lat: latitude.trim(), lon: longitude.trim() })}`;
  const { explained } = geocoder.explainReverse(readReverse(path, undefined).question);
  return { object: explained, text: describePoint(explained) };
}
