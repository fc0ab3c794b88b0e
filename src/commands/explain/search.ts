// Explains a search by words.

import type { Answerer } from '../../answer/answerer.ts';
import { readSearch } from '../../protocol/requests/place_question.ts';
import type { Explained } from './explained.ts';
import { describeSearch } from './search_text.ts';

const PATH = '/search?';

/** @param asked words, or the path of a request with its parameters @throws ApiError when a parameter cannot be used */
export async function explainSearch({ geocoder }: Answerer, asked: string): Promise<Explained> {
  const path = asked.startsWith(PATH) ? asked : `${PATH}q=${encodeURIComponent(asked)}`;
  const { explained } = geocoder.explainSearch(readSearch(path, undefined).question);
  return { object: explained, text: describeSearch(explained) };
}
