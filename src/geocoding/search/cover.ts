// Which words of a query something explains, and what that costs.

/** Words that a surrounding place explains, and the cost. */
export interface Cover {
  mask: number;
  cost: number;
}

/** What a document itself explains. */
export interface OwnCover extends Cover {
  /** Words that its address explains besides. */
  around: number;
  /** Share of its name that is in the query, 0..1; 1 if it is found by its kind or postcode. */
  said: number;
}

/** What a set of areas explains. */
export interface SetCover extends Cover {
  /** Some of it is explained by an area smaller than a country. */
  isLocal: boolean;
}

/** No words. */
export const NOTHING: Cover = { mask: 0, cost: 0 };
