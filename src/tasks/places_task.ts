// Questions about places, in a compute worker: searches, whose time depends on the words, and where `compute` is `pool` all others.

import { answerer } from '../pool/worker.ts';
import { answerPlaces, type PlaceAnswer, type PlaceQuestion } from './answer_places.ts';

/** Answers one question. */
export default function answerPlacesElsewhere(question: PlaceQuestion): PlaceAnswer {
  try {
    return answerPlaces(answerer.geocoder, question);
  } finally {
    answerer.release();
  }
}
