// Two families of addresses, each of one device as it is numbered, which stand at several places in pairs: one of each
// family. Where addresses of one device have no vote against each other, a pair has half of the others once the address
// that is searched for stands beside it, and that one speaks against none of the places.

import { isSameDevice, parseMac } from '../../../src/radio/mac.ts';
import { metresTo } from '../../kits/radio/ground.ts';
import { type Adversary, partsOf, type Site } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import type { PublicPoint } from '../town.ts';
import { search } from './probes.ts';

/** Pairs in a question, beside one address: one more has them too few, one less too many votes. */
const PAIRS = 3;
const PAIR_METRES = 150;
const FAMILY_MIN = 6;
const FIRST_OCTETS = 'aa:bb:cc:dd:ee'.length;

export const shopsOfChains: Attack = {
  name: 'shops of two chains, three at a time: the access points of each chain are numbered one after the other',
  family: 'lists of stations',
  setting: 'shop',
  isFrugal: true,
  async run(adversary) {
    await search(
      adversary,
      partsOf(pairsOf(adversary), PAIRS).flatMap(pairs => {
        const stations = pairs.flatMap(({ addresses }) => addresses);
        return adversary.wifi.map(target => ({ group: [target], stations, needsAll: true }));
      }),
    );
  },
};

/** Where an access point of the one large family stands beside one of the other. */
function pairsOf({ knowledge: { points } }: Adversary): Site[] {
  const blocks = Map.groupBy(points, ({ address }) => address.slice(0, FIRST_OCTETS));
  const families = [...blocks.values()].filter(({ length }) => length >= FAMILY_MIN);
  const [first, second] = families.filter(family => family.every(each => isKin(each, family[0])));
  return first.flatMap(one => {
    const other = second.find(({ at }) => metresTo(at, one.at) < PAIR_METRES);
    return other === undefined ? [] : [{ at: one.at, addresses: [one.address, other.address] }];
  });
}

function isKin(a: PublicPoint, b: PublicPoint): boolean {
  return isSameDevice(parseMac(a.address), parseMac(b.address));
}
