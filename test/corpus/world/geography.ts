// Places of the drawn world: where its towns stand, and distances between them.

import type { Dice } from '../dice.ts';

/** A point, degrees. */
export interface Spot {
  lat: number;
  lng: number;
}

/** A town with networks and access points of its own. */
interface Town extends Spot {
  name: string;
  mcc: number;
}

/**
 * Towns in countries whose networks they hear. The first stands in the drawn extract, the others are known from the
 * gazetteer of the world only.
 */
export const TOWNS: readonly Town[] = [
  { name: 'Vaduz', mcc: 295, lat: 47.14, lng: 9.52 },
  { name: 'Munich', mcc: 262, lat: 48.14, lng: 11.57 },
  { name: 'Lyon', mcc: 208, lat: 45.76, lng: 4.84 },
  { name: 'Denver', mcc: 310, lat: 39.74, lng: -104.99 },
  { name: 'Kawagoe', mcc: 440, lat: 35.9, lng: 139.48 },
  { name: 'Brasilia', mcc: 724, lat: -15.79, lng: -47.88 },
];

/** Middle of the demo town that a new data folder holds. */
export const DEMO_TOWN: Spot = { lat: 1.25, lng: -2.5 };

/** Where the imported walks went. */
export const WALKED: Spot = { lat: 47.13, lng: 9.522 };

/** Where the requests of the corpus contribute; no other request asks about this place before they have. */
export const CONTRIBUTED: Spot = { lat: 47.262, lng: 11.394 };

/** Where the buildings stand; no other request asks about this place. */
export const BUILT: Spot = { lat: 47.31, lng: 9.61 };

const METRES_A_DEGREE = 111_195;

/** A spot some metres to the north and to the east, seven decimals. */
export function moved({ lat, lng }: Spot, north: number, east: number): Spot {
  return {
    lat: Number((lat + north / METRES_A_DEGREE).toFixed(7)),
    lng: Number((lng + east / METRES_A_DEGREE / Math.cos((lat * Math.PI) / 180)).toFixed(7)),
  };
}

/** A spot within some metres to each side. */
export function near(dice: Dice, spot: Spot, metres: number): Spot {
  return moved(spot, dice.between(-metres, metres), dice.between(-metres, metres));
}

/** Metres between two spots that are near each other. */
export function metresBetween(a: Spot, b: Spot): number {
  const east = (b.lng - a.lng) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(b.lat - a.lat, east) * METRES_A_DEGREE;
}
