// Where a device was by the maps of cells, as the one who follows it knows (src/tracking/outdoor/cell_places.ts keeps
// it from request to request).

/** Where the device may have been, and how it moved: a Gaussian of positions and one of speeds, both circular. */
export interface PastPlace {
  /** Mean, degrees. */
  latitude: number;
  longitude: number;
  /** Share of all places, above 0. */
  weight: number;
  /** Mean, m/s. */
  eastSpeed: number;
  northSpeed: number;
  /** Standard deviation along one axis: metres, m/s. */
  sigmaMetres: number;
  speedSigma: number;
}

/** Where a device was at one moment. */
export interface PastPlaces {
  /** The likeliest first; at most `PLACES_MAX` are used. */
  places: readonly PastPlace[];
  /** Keys of the cells by whose maps it was located, each once, the last one first. At most `CELLS_MAX` are used. */
  cells: readonly Uint8Array[];
}

/** Where a device was. Locating by a radio map notes where it is now. */
export interface CellPast extends PastPlaces {
  /** Seconds from then until now, above 0. */
  seconds: number;
  /** m/s along one axis: how fast such a device is, of a vehicle, of somebody who walks, or of a device at rest. */
  usualSpeed: number;
  /** Chooses the random numbers; any whole number. */
  seed: number;
  /** Places now; undefined where no map located the device. */
  now: PastPlaces | undefined;
  /** True if the answer rests on the places. */
  isFollowed: boolean;
}

/** Places that are remembered, and cells. */
export const PLACES_MAX = 30;
export const CELLS_MAX = 3;
