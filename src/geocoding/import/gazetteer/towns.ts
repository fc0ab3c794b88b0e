// Which city a part of a city belongs to: the one that reverse geocoding would find there (reverse/world.ts), because
// the two must agree.

import { METRES_PER_DEGREE } from '../../../../wasm/earth_constants.ts';
import { distanceMetres } from '../../../geo/distance.ts';
import { SETTLEMENT_REACH_METRES, weightOfSettlement } from '../../reverse/settlement.ts';

/** A settlement as a point. */
export interface Settlement {
  /** Id in the layer. */
  id: number;
  searchRank: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

/** The settlements of one country. */
export class Towns {
  /** Sorted by latitude. */
  private readonly settlements: readonly Settlement[];

  constructor(settlements: readonly Settlement[]) {
    this.settlements = settlements
      .filter(({ searchRank }) => weightOfSettlement(searchRank) > 0)
      .sort((a, b) => a.latitude - b.latitude);
  }

  /** @returns id of the town around a point; undefined if none is near enough */
  around(latitude: number, longitude: number): number | undefined {
    const reach = SETTLEMENT_REACH_METRES / METRES_PER_DEGREE;
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let i = this.firstFrom(latitude - reach); i < this.settlements.length; i++) {
      const settlement = this.settlements[i];
      if (settlement.latitude > latitude + reach) break;
      const metres = distanceMetres(latitude, longitude, settlement.latitude, settlement.longitude);
      const weighted = metres / weightOfSettlement(settlement.searchRank);
      if (metres > SETTLEMENT_REACH_METRES || weighted >= least) continue;
      least = weighted;
      best = settlement.id;
    }
    return best;
  }

  /** Index of the first settlement on or north of a parallel. */
  private firstFrom(latitude: number): number {
    let low = 0;
    let high = this.settlements.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.settlements[middle].latitude < latitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
