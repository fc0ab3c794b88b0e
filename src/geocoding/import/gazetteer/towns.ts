// Which city a part of a city belongs to: the one that a question for the point would find (world.ts), because the two must agree.

import { METRES_PER_DEGREE } from '../../../../wasm/earth_constants.ts';
import { distanceMetres } from '../../../geo/distance.ts';
import { SETTLEMENT_REACH_METRES, weightOfSettlement } from '../../reverse/settlement.ts';

/** A point that has a place. */
export interface Settlement {
  /** Place of the layer. */
  id: number;
  searchRank: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

/** The settlements of one country. */
export class Towns {
  /** By latitude. */
  private readonly settlements: readonly Settlement[];

  constructor(settlements: readonly Settlement[]) {
    this.settlements = settlements.filter(({ searchRank }) => weightOfSettlement(searchRank) > 0).sort((a, b) => a.latitude - b.latitude);
  }

  /** @returns place; undefined where nothing is near enough */
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

  /** Number of the first settlement that lies north of a parallel. */
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
