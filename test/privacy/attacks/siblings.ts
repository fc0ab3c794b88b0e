// A router has several addresses, of which the vendor numbered one after the other. Whoever knows one sends those
// around it beside it.

import { formatMac, parseMac } from '../../../src/radio/mac.ts';
import type { Attack } from '../campaign.ts';
import { octet, withOctet } from '../town.ts';
import { believeAll, heard } from './probes.ts';

/** An address and those that differ in one octet, the last one is 0. */
function withAll(address: string, index: number): string[] {
  const mac = parseMac(address);
  return [
    address,
    ...Array.from({ length: 255 }, (_, i) => formatMac(withOctet(mac, index, octet(mac, index) + 1 + i))),
  ];
}

/** Others by the bits of the first octet that no vendor numbers. */
function virtual(address: string): string[] {
  const mac = parseMac(address);
  return [2, 6, 10, 14, 18, 22, 34, 66, 130].map(bits => formatMac(withOctet(mac, 5, octet(mac, 5) ^ bits)));
}

/** The 16 addresses around one, with those that differ in the fourth octet too. */
function near(address: string): string[] {
  const mac = parseMac(address);
  const steps = Array.from({ length: 17 }, (_, i) => i - 8);
  return steps.flatMap(last =>
    [0, 16, 32, 48, 64, 80, 96, 112, 128].map(fourth => {
      const other = withOctet(mac, 0, octet(mac, 0) + last);
      return formatMac(withOctet(other, 2, octet(mac, 2) + fourth));
    }),
  );
}

export const lastOctet: Attack = {
  name: 'the 16 addresses around it',
  family: 'other addresses of the device',
  isQuiet: true,
  async run(adversary) {
    await believeAll(adversary, adversary.wifi, ({ address }) => {
      const mac = parseMac(address);
      const around = Array.from({ length: 16 }, (_, i) =>
        formatMac(withOctet(mac, 0, octet(mac, 0) - 8 + i + (i > 7 ? 1 : 0))),
      );
      return { wifiAccessPoints: heard([address, ...around], -50) };
    });
  },
};

export const everyOctet: Attack = {
  name: 'all addresses that differ in one octet, or in bits of the first',
  family: 'other addresses of the device',
  isQuiet: true,
  async run(adversary) {
    for (const index of [0, 1, 2, 3, 4])
      await believeAll(adversary, adversary.wifi, ({ address }) => ({
        wifiAccessPoints: heard(withAll(address, index), -50),
      }));
    await believeAll(adversary, adversary.wifi, ({ address }) => ({
      wifiAccessPoints: heard([address, ...virtual(address)], -50),
    }));
  },
};

export const pairsOfSiblings: Attack = {
  name: 'all pairs of addresses around it, with and without it',
  family: 'other addresses of the device',
  isQuiet: true,
  async run(adversary) {
    const both = ({ address }: { address: string }) => near(address);
    await believeAll(adversary, adversary.wifi, target => ({ wifiAccessPoints: heard(both(target), -50) }));
    await believeAll(adversary, adversary.wifi, target => ({
      wifiAccessPoints: heard(
        both(target).filter(address => address !== target.address),
        -50,
      ),
    }));
  },
};
