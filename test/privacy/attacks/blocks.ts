// The block of addresses from which a buyer of many access points got his: an address with all its neighbours in
// number. Those that are known stand around it, if its owner is a firm.

import { formatMac, parseMac } from '../../../src/radio/mac.ts';
import { type Adversary, partsOf, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { fillersFor, heard } from './probes.ts';

const BLOCK = 65_536;
const SMALL_BLOCK = 256;
const NEIGHBOUR_DBM = -80;
const OWN_DBM = -30;
/** Access points that a question still may have. */
const ANSWERED_MAX = 300;
const FILLERS = 3;

/** All addresses that share the first octets with one, the nearest in number first. */
function blockOf({ address }: Target, size: number): string[] {
  const mac = parseMac(address);
  const first = Math.floor(mac / size) * size;
  const others = Array.from({ length: size }, (_, i) => first + i).filter(other => other !== mac);
  return others.sort((a, b) => Math.abs(a - mac) - Math.abs(b - mac)).map(formatMac);
}

function bodyOf({ address }: Target, others: readonly string[]): object {
  return { wifiAccessPoints: [...heard([address], OWN_DBM), ...heard(others, NEIGHBOUR_DBM)] };
}

/** Believes what a question about a block of a target is answered, one target after the other. */
async function askEach(adversary: Adversary, others: (target: Target) => readonly string[]): Promise<void> {
  for (const [t, target] of adversary.wifi.entries()) {
    const { json } = await adversary.request('/v1/geolocate', bodyOf(target, others(target)), t % adversary.keyCount);
    const { location } = json as { location?: { lat: number; lng: number } };
    adversary.believe(target, location && [location.lat, location.lng]);
  }
}

export const wholeBlock: Attack = {
  name: 'the 65,536 addresses with the same first four octets',
  family: 'other addresses of the device',
  setting: 'office',
  isFrugal: true,
  run: adversary => askEach(adversary, target => blockOf(target, BLOCK)),
};

export const blockAndPoints: Attack = {
  name: 'the same beside public points of other places',
  family: 'other addresses of the device',
  setting: 'office',
  isFrugal: true,
  async run(adversary) {
    const far = fillersFor(adversary.knowledge, adversary.knowledge.middle, FILLERS);
    await askEach(adversary, target => [...blockOf(target, BLOCK), ...far]);
  },
};

export const smallBlock: Attack = {
  name: 'the 256 addresses with the same first five octets, alone and beside public points of other places',
  family: 'other addresses of the device',
  setting: 'office',
  isFrugal: true,
  async run(adversary) {
    const far = fillersFor(adversary.knowledge, adversary.knowledge.middle, 1);
    await askEach(adversary, target => blockOf(target, SMALL_BLOCK));
    await askEach(adversary, target => [...blockOf(target, SMALL_BLOCK), ...far]);
  },
};

export const blockInParts: Attack = {
  name: 'the 65,536 addresses in as many requests as it takes, each with as many as are answered',
  family: 'other addresses of the device',
  setting: 'office',
  isFrugal: true,
  async run(adversary) {
    for (const target of adversary.wifi) {
      const parts = partsOf(blockOf(target, BLOCK), ANSWERED_MAX - 1);
      const answers = await adversary.askAll(parts.map(part => bodyOf(target, part)));
      for (const { at } of answers) adversary.believe(target, at);
    }
  },
};
