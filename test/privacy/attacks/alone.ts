// One address alone, or beside what tells nothing of where it is: over each route, with each member of a body, and with
// a state of the service itself.

import { metresTo, type Position } from '../../kits/radio/ground.ts';
import { type Adversary, partsOf, readAnswer, type Target } from '../adversary.ts';
import type { Attack } from '../campaign.ts';
import { lte } from './anchors.ts';
import { believeAll, ghost, heard, sitesOf } from './probes.ts';

const LOUD_DBM = -25;
const FAINT_DBM = -95;
/** Requests of their own that are under way at once. */
const AT_ONCE = 20;
/** Readings this much older than the youngest are dropped; and ages that are too large. */
const STALE_MS = 90_000;
const OLD_MS = 700_000;

/** Does something for each target, for some at a time. */
async function forEach(targets: readonly Target[], act: (target: Target) => Promise<void>): Promise<void> {
  for (const part of partsOf(targets, AT_ONCE)) await Promise.all(part.map(act));
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Two public access points of one place. */
function pairOf({ knowledge: { points } }: Adversary): string[] {
  return sitesOf(points, 60, 2)[0].addresses.slice(0, 2);
}

/** Bodies that name one address and nothing that is near it. */
function bodiesOf(adversary: Adversary): ((target: Target) => object)[] {
  const {
    cells,
    middle: [latitude, longitude],
  } = adversary.knowledge;
  const pair = pairOf(adversary);
  const own = ({ address }: Target, age?: number) => ({
    macAddress: address,
    signalStrength: LOUD_DBM,
    ...(age === undefined ? {} : { age }),
  });
  const aged = (age: number) => pair.map(macAddress => ({ macAddress, signalStrength: FAINT_DBM, age }));
  const alone = (target: Target) => ({ wifiAccessPoints: [own(target)] });
  const others = [
    { fallbacks: { all: 1 }, considerIp: true },
    { confidence: 99, indoor: 1, address: 1, geoname: 1 },
    {
      cellTowers: cells.map(({ cellId }) => lte(cellId)),
      lastLocation: { lat: latitude, lng: longitude, accuracy: 20_000, timestamp: nowSeconds() },
    },
    { gps: { latitude, longitude, accuracy: 20_000, age: 5 }, speedLimit: 1 },
  ];
  return [
    alone,
    target => ({ wifiAccessPoints: [own(target), ...heard([ghost(-2), ghost(-3)], FAINT_DBM)] }),
    ({ address }) => ({
      wifiAccessPoints: heard([address, address.toUpperCase(), address.replaceAll(':', '-')], LOUD_DBM),
    }),
    target => ({ wifiAccessPoints: [own(target, 0), ...aged(STALE_MS)] }),
    target => ({ wifiAccessPoints: [own(target, STALE_MS), ...aged(0)] }),
    target => ({ wifiAccessPoints: [own(target, OLD_MS), ...aged(OLD_MS)] }),
    ...others.map(rest => (target: Target) => ({ ...alone(target), ...rest })),
  ];
}

export const inBatches: Attack = {
  name: 'one address, with unknown ones, cells, a fix, a last position, ages; in batches',
  family: 'one address alone',
  isQuiet: true,
  async run(adversary) {
    const without = await adversary.askAll(
      bodiesOf(adversary).map(body => body({ victim: 0, address: ghost(-4), isBluetooth: false })),
    );
    for (const [b, body] of bodiesOf(adversary).entries()) {
      const answers = await adversary.askAll(adversary.wifi.map(body));
      for (const [t, { at }] of answers.entries())
        if (isAnother(without[b].at, at)) adversary.believe(adversary.wifi[t], at);
    }
  },
};

/** True for an answer that the address has made another one. */
function isAnother(without: Position | undefined, at: Position | undefined): boolean {
  return at !== undefined && metresTo(without, at) > 0;
}

export const overEachRoute: Attack = {
  name: 'one address, over each route: a request of its own, the compact form, the country, the trail',
  family: 'one address alone',
  isQuiet: true,
  async run(adversary) {
    await forEach(adversary.wifi, async target => {
      const body = { wifiAccessPoints: heard([target.address], LOUD_DBM) };
      adversary.believe(target, readAnswer((await adversary.request('/v1/geolocate', body)).json).at);
      adversary.believe(target, readAnswer((await adversary.request('/v1/country', body)).json).at);
      const plain = target.address.replaceAll(':', '');
      const compact = (
        await adversary.request(`/?wifi=${plain},a,-25;${ghost(-2).replaceAll(':', '')},b,-95`, undefined, 0, 'GET')
      ).text;
      const [, latitude, longitude] = /lat=([-\d.]+);lon=([-\d.]+)/.exec(compact) ?? [];
      if (latitude !== undefined) adversary.believe(target, [Number(latitude), Number(longitude)]);
      const { json } = await adversary.request(`/trail?mac=${plain}`, undefined, 0, 'GET');
      const [seen] = (json as { trail?: { location: { lat: number; lng: number } }[] }).trail ?? [];
      if (seen !== undefined) adversary.believe(target, [seen.location.lat, seen.location.lng]);
    });
  },
};

export const withState: Attack = {
  name: 'one address and the state of a device that was at a public place',
  family: 'one address alone',
  isQuiet: true,
  async run(adversary) {
    const pair = pairOf(adversary);
    await forEach(adversary.wifi, async target => {
      const device = `/v1/geolocate?id=a${target.victim}`;
      const timestamp = nowSeconds();
      const { json } = await adversary.request(device, { wifiAccessPoints: heard(pair, FAINT_DBM), timestamp });
      const { state } = json as { state?: string };
      const body = { wifiAccessPoints: heard([target.address], LOUD_DBM), timestamp: timestamp + 10, state };
      adversary.believe(target, readAnswer((await adversary.request(device, body)).json).at);
    });
  },
};

export const besideReference: Attack = {
  name: 'one public point of the town, at -95 dBm, beside the address at -30',
  family: 'one address alone',
  isGuess: true,
  async run(adversary) {
    for (const { address } of adversary.knowledge.points.slice(0, 3))
      await believeAll(adversary, adversary.wifi, target => ({
        wifiAccessPoints: [...heard([target.address], -30), ...heard([address], -95)],
      }));
  },
};
