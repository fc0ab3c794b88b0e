// Contributors for tests that kill the service: each draws reports of a small town without end, sends them as clients
// do, one request after the other, and remembers what it was promised. What was not acknowledged it sends again when
// the service is back, and now and then also something that was.
//
//   town, 300 m square: 40 access points and 6 cells, heard by everybody country, 40 km square: 4 buses, each with an
//   access point
//
// Walkers go through the town at the pace of a pedestrian. The wanderer is anywhere in the country at any time, and
// hears the buses and the cells.

import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { formatMac } from '../../src/radio/mac.ts';
import { uniform } from '../kits/random.ts';
import { type ServiceProcess, send } from '../kits/service_process.ts';

const LATITUDE = 48.7;
const LONGITUDE = 9.1;
const TOWN_DEGREES = 0.003;
const COUNTRY_DEGREES = 0.4;
const TOWN_ACCESS_POINTS = 40;
const CELLS = 6;
const BUSES = 4;
const TOWN_MAC = 0x02_00_5e_10_00_00;
const BUS_MAC = 0x02_00_5e_20_00_00;
/** More reports than the service stores in one transaction. */
const LARGE_BATCH = 520;
/** Seconds between two reports: nobody crosses the town faster than the rules allow. */
const PACE_SECONDS = 5;
const BUSY = 503;
const RETRY_MILLISECONDS = 20;
/** When the first report was made. */
const START_MS = Date.parse('2026-05-01T00:00:00Z');
/** A clock that comes this near to the present begins anew. */
const PRESENT_MS = 3_600_000;
/** Requests that are remembered by a contributor that forgets, so that it sends some of them again. */
const REMEMBERED = 100;

/** A report as it was sent. */
export interface SentReport {
  contributor: number;
  isTrusted: boolean;
  /** Milliseconds since 1970; undefined where the client named no time. */
  timeMs: number | undefined;
  /** Address or cell id, and level in dBm, as `heardOf` writes them, sorted. */
  heard: string[];
}

/** A request and its reports. */
interface Contribution {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** By `placeOf`. */
  reports: [place: string, report: SentReport][];
}

interface Item {
  timestamp?: number;
  position: { latitude: number; longitude: number; accuracy: number; age?: number };
  wifiAccessPoints: { macAddress: string; signalStrength: number }[];
  cellTowers: Record<string, unknown>[];
}

/** Names a report: no two are drawn at the same place. */
export function placeOf(latitude: number, longitude: number): string {
  return `${latitude} ${longitude}`;
}

/** Names one reading; `station` is an address or a cell id. */
export function heardOf(station: number, signalDbm: number): string {
  return `${station} ${signalDbm}`;
}

/** True for the address of an access point that stays where it is. */
export function staysInTown(mac: number): boolean {
  return mac >= TOWN_MAC && mac < TOWN_MAC + TOWN_ACCESS_POINTS * 256;
}

/** Whose reports a contributor sends. */
export interface Account {
  id: number;
  key: string;
  isTrusted: boolean;
}

/** Sends contributions, one at a time. */
export class Contributor {
  /** All reports that were ever sent, by `placeOf`. */
  readonly sent = new Map<string, SentReport>();
  /** Requests that were acknowledged. */
  readonly acknowledged: Contribution[] = [];
  /** Requests for which there was no room; they are sent again. */
  refusals = 0;
  private readonly account: Account;
  private readonly isWanderer: boolean;
  private readonly random: () => number;
  private readonly device: string;
  private unanswered: Contribution | undefined;
  private timeMs = START_MS;
  private north = 0.5;
  private east = 0.5;

  constructor(account: Account, isWanderer: boolean, seed: number) {
    this.account = account;
    this.isWanderer = isWanderer;
    this.random = uniform(seed * 7919 + 1);
    this.device = `device-${seed}`;
  }

  /**
   * Contributes until the service breaks the connection, or is told to stop. What the service is too busy for it sends
   * again after a while.
   * @param goesOn asked after each answer
   * @param withinMilliseconds after which a connection without an answer counts as broken; undefined = it never does
   * @throws Error when the service answers that something is wrong
   */
  async contribute(url: string, goesOn: () => boolean, withinMilliseconds?: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let isOn = true; isOn; ) {
        const contribution = this.unanswered ?? this.next();
        this.unanswered = contribution;
        const signal = withinMilliseconds === undefined ? undefined : AbortSignal.timeout(withinMilliseconds);
        const answer = await send(url, { agent, signal, ...contribution }).catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status === BUSY) {
          this.refusals++;
          await delay(RETRY_MILLISECONDS);
          isOn = goesOn();
          continue;
        }
        if (answer.status !== 200 && answer.status !== 204)
          throw new Error(`${contribution.path} was answered ${answer.status}: ${answer.text}`);
        this.acknowledged.push(contribution);
        this.unanswered = undefined;
        isOn = goesOn();
      }
    } finally {
      agent.destroy();
    }
  }

  /** Sends again what was not acknowledged, until it is. */
  async settle(url: string): Promise<void> {
    while (this.unanswered !== undefined) await this.contribute(url, () => false);
  }

  /**
   * Forgets all reports, and all requests but the last ones, for those who do not look for them later: in an hour they
   * take gigabytes. In an hour its clock also goes on by months, and reports of the future are refused: so it begins
   * anew before that.
   */
  forget(): void {
    this.sent.clear();
    this.acknowledged.splice(0, this.acknowledged.length - REMEMBERED);
    if (this.timeMs > Date.now() - PRESENT_MS) this.timeMs = START_MS;
  }

  private next(): Contribution {
    const { random } = this;
    if (this.acknowledged.length > 0 && random() < 0.15)
      return this.acknowledged[Math.floor(random() * this.acknowledged.length)];
    const contribution = random() < 0.2 ? this.drawPosition() : this.drawBatch();
    for (const [place, report] of contribution.reports) this.sent.set(place, report);
    return contribution;
  }

  /** A batch of any dialect and size, compressed or not, with and without the name of the device. */
  private drawBatch(): Contribution {
    const { random } = this;
    const isLarge = random() < 0.03;
    const items = Array.from({ length: isLarge ? LARGE_BATCH : 1 + Math.floor(random() * 12) }, () =>
      this.drawItem(isLarge ? 2 : 8),
    );
    const text = JSON.stringify({ items });
    const isCompressed = random() < 0.5;
    const id = this.isWanderer || random() < 0.5 ? `&id=${this.device}` : '';
    return {
      path: `/v2/geosubmit?key=${this.account.key}${id}`,
      headers: isCompressed ? { 'content-encoding': 'gzip' } : {},
      body: isCompressed ? gzipSync(text, { level: 1 }) : Buffer.from(text),
      reports: items.map(item => this.reportOf(item)),
    };
  }

  /** A request for a position that contributes, half of them without a time. */
  private drawPosition(): Contribution {
    const { position, timestamp, ...stations } = this.drawItem(8);
    const time = this.random() < 0.5 ? {} : { timestamp };
    return {
      path: `/?key=${this.account.key}`,
      headers: {},
      body: Buffer.from(JSON.stringify({ ...stations, ...time, gps: { ...position, age: 0 } })),
      reports: [this.reportOf({ position, ...stations, ...time })],
    };
  }

  private drawItem(stations: number): Item & { timestamp: number } {
    const { random } = this;
    this.timeMs += PACE_SECONDS * 1000;
    const span = this.isWanderer ? COUNTRY_DEGREES : TOWN_DEGREES;
    this.north = this.isWanderer ? random() : within(this.north + (random() - 0.5) * 0.03);
    this.east = this.isWanderer ? random() : within(this.east + (random() - 0.5) * 0.03);
    const [first, count] = this.isWanderer ? [BUS_MAC, BUSES] : [TOWN_MAC, TOWN_ACCESS_POINTS];
    return {
      timestamp: this.timeMs,
      position: {
        latitude: LATITUDE + this.north * span,
        longitude: LONGITUDE + this.east * span,
        accuracy: 3 + random() * 20,
      },
      wifiAccessPoints: drawSome(count, stations, random).map(n => ({
        macAddress: formatMac(first + n * 256),
        signalStrength: -30 - Math.floor(random() * 60),
      })),
      cellTowers: drawSome(CELLS, 3, random).map(n => ({
        radioType: 'lte',
        mobileCountryCode: 262,
        mobileNetworkCode: 1,
        locationAreaCode: 1000,
        cellId: 256_001 + n,
        signalStrength: -60 - Math.floor(random() * 60),
      })),
    };
  }

  private reportOf({ timestamp, position, wifiAccessPoints, cellTowers }: Item): [string, SentReport] {
    const heard = [
      ...wifiAccessPoints.map(({ macAddress, signalStrength }) =>
        heardOf(Number.parseInt(macAddress.replaceAll(':', ''), 16), signalStrength),
      ),
      ...cellTowers.map(({ cellId, signalStrength }) => heardOf(cellId as number, signalStrength as number)),
    ];
    const { id, isTrusted } = this.account;
    return [
      placeOf(position.latitude, position.longitude),
      { contributor: id, isTrusted, timeMs: timestamp, heard: heard.sort() },
    ];
  }
}

/**
 * Two contributors of one untrusted key, one of another that is prepaid, and two trusted ones, of which one wanders.
 * @param credits of the prepaid one
 * @param seed of what they send; whole
 */
export async function makeContributors(
  service: ServiceProcess,
  credits: number,
  seed: number,
): Promise<{ contributors: Contributor[]; prepaid: Account }> {
  const account = async (settings: { trusted?: boolean; credits?: number }): Promise<Account> => ({
    ...(await service.key({ contributor: true, ...settings })),
    isTrusted: settings.trusted === true,
  });
  const [plain, prepaid, trusted] = [await account({}), await account({ credits }), await account({ trusted: true })];
  const contributors = [plain, plain, prepaid, trusted].map((each, i) => new Contributor(each, false, seed * 100 + i));
  return { contributors: [...contributors, new Contributor(trusted, true, seed * 100 + 99)], prepaid };
}

/** One to `limit` different numbers below `count`. */
function drawSome(count: number, limit: number, random: () => number): number[] {
  const drawn = Array.from({ length: 1 + Math.floor(random() * Math.min(limit, count)) }, () =>
    Math.floor(random() * count),
  );
  return [...new Set(drawn)];
}

/** Turns back at the edge. Who stopped there would be at the same place twice when he stands in a corner. */
function within(fraction: number): number {
  return fraction < 0 ? -fraction : fraction > 1 ? 2 - fraction : fraction;
}
