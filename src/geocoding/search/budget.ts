// What one question may cost in all layers together, as counts and not as time, so that the same question always has
// the same answer. Usual questions need a small part of it. What is rated or read first is what promises most: rare
// words, important places, the best results.

/** What is left for one question. */
export class Budget {
  /** Documents that may be rated. */
  rated = 2_500;
  /** Entries of lists that may be looked at, to find areas and roads that the query names. */
  looked = 4_000;
  /** Lists of documents in an area that may be asked for. */
  lists = 400;
  /** Bytes of lists of houses that may be read, once for each reading of the house number. */
  houseBytes = 200_000;
}
