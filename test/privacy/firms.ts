// Firms of a drawn town, whose access points are numbered in one block as they were bought: offices, in which one of
// the people who are searched for sits, and two chains that have shops side by side, some of them below the home of one.
// They are drawn from a seed of their own, after the town.

import { formatMac, parseMac } from '../../src/radio/mac.ts';
import { moved, type Position } from '../kits/radio/ground.ts';
import { normal, uniform } from '../kits/random.ts';
import type { PublicPoint, Town, Victim } from './town.ts';

const OFFICES = 3;
const OFFICE_POINTS = 5;
const BLOCK = 65_536;
/** Shops that come first in the list, below no home: more than an account may be wrong about. */
const SHOPS_BEFORE = 12;
const SHOPS = 24;
const HOMES_ABOVE = 6;
/** First five octets of the addresses of each chain. */
const CHAINS = [0x001a1e4b12, 0x24de66913c];
const SHOP_RADIUS_METRES = 40;
const SHOP_METRES = 10;
/** Where no home is above a shop. */
const ELSEWHERE_METRES = 8_000;

/** Adds the firms to a town. */
export function addFirms(town: Town): void {
  const random = uniform(town.seed + 5);
  const plain = town.victims.filter(({ kind, isInBuilding }) => kind === 'known' && !isInBuilding);
  for (const victim of plain.slice(0, OFFICES)) numberInBlock(victim, random);
  const homes = plain.slice(OFFICES, OFFICES + HOMES_ABOVE);
  for (const home of homes) home.setting = 'shop';
  const away = () => (2 * random() - 1) * ELSEWHERE_METRES;
  const shops = Array.from({ length: SHOPS }, (_, i) => {
    const above = (i - SHOPS_BEFORE) / 2;
    return homes[above]?.home ?? moved(town.victims[i].home, away(), away());
  });
  town.points.push(...shopPoints(shops, random));
}

/** Whoever works there hears the office's access points, whose addresses have four octets in common. */
function numberInBlock(victim: Victim, random: () => number): void {
  const first = Math.floor(parseMac(victim.address) / BLOCK) * BLOCK;
  victim.setting = 'office';
  victim.neighbours = Array.from({ length: OFFICE_POINTS }, () => formatMac(first + Math.floor(BLOCK * random())));
}

/** One access point of each chain in each shop, which the list of the operator has. */
function shopPoints(shops: readonly Position[], random: () => number): PublicPoint[] {
  const bell = normal(random);
  return shops.flatMap((at, s) =>
    CHAINS.map(chain => ({
      address: formatMac(chain * 256 + 16 + s),
      at: moved(at, SHOP_METRES * bell(), SHOP_METRES * bell()),
      radius: SHOP_RADIUS_METRES,
    })),
  );
}
