// Somebody with some keys who searches for addresses over HTTP. What he knows is in `Knowledge`; what he does costs
// requests, reports and credits, of which each key has a budget.

import type { Agent } from 'node:http';
import type { Position } from '../kits/radio/ground.ts';
import { send } from '../kits/service_process.ts';
import type { PublicCell, PublicPoint } from './town.ts';

/** An address that is searched for. */
export interface Target {
  /** Number of the victim. */
  victim: number;
  address: string;
  isBluetooth: boolean;
  /** The same for devices that he has seen on one person. */
  person?: number;
  /** Another address of the same router. */
  sibling?: string;
}

/** All that is known to him before. */
export interface Knowledge {
  targets: readonly Target[];
  points: readonly PublicPoint[];
  beacons: readonly PublicPoint[];
  cells: readonly PublicCell[];
  /** The extent of the town. */
  middle: Position;
  halfMetres: number;
  /** Corners of an office building, as on any map. */
  building: readonly [southWest: Position, northEast: Position];
  /** Targets of whom he knows some homes that may be theirs. */
  suspected: readonly Target[];
  /**
   * So many homes, far from each other, and what he has heard in front of each but for what he searches for. As bad luck
   * has it, that of the target is the last.
   */
  homesFor: (target: Target, count: number) => Site[];
}

/** Stations that stand together. */
export interface Site {
  at: Position;
  addresses: string[];
}

/** What each key may spend. */
export interface Budget {
  requests: number;
  reports: number;
}

/** What was spent. A position of a batch counts as a request. */
export interface Spent {
  requests: number;
  reports: number;
}

/** An answer to a position request. */
export interface Answered {
  at: Position | undefined;
  accuracy: number;
  /** Of an error. */
  reason: string | undefined;
  indoor: { floorIndex?: number } | undefined;
}

/** Thrown where a budget is spent, or no key is answered any more. */
export class BudgetSpent extends Error {}

const BATCH = 200;
const NOWHERE: Answered = { at: undefined, accuracy: 0, reason: undefined, indoor: undefined };

/** One of his keys. */
class Key {
  readonly key: string;
  readonly spent: Spent = { requests: 0, reports: 0 };
  /** It is answered 429 for its strays. */
  isStraying = false;

  constructor(key: string) {
    this.key = key;
  }
}

/** The adversary in one campaign. */
export class Adversary {
  readonly knowledge: Knowledge;
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** Where he believes each victim to be. */
  readonly beliefs = new Map<number, Position>();
  private readonly url: string;
  private readonly agent: Agent;
  private readonly budget: Budget;
  private readonly keys: Key[];
  private readonly learnt: () => Promise<unknown>;
  private readonly othersReport: () => Promise<void>;

  /**
   * @param url of the service
   * @param learnt resolves when the service has learned what was reported: he waits
   * @param othersReport has the owners of what he searches for report their homes again
   */
  constructor(
    url: string,
    agent: Agent,
    keys: readonly string[],
    budget: Budget,
    knowledge: Knowledge,
    random: () => number,
    learnt: () => Promise<unknown>,
    othersReport: () => Promise<void>,
  ) {
    this.url = url;
    this.agent = agent;
    this.keys = keys.map(key => new Key(key));
    this.budget = budget;
    this.knowledge = knowledge;
    this.random = random;
    this.learnt = learnt;
    this.othersReport = othersReport;
  }

  get keyCount(): number {
    return this.keys.length;
  }

  get spent(): Spent {
    const sum = (what: keyof Spent) => this.keys.reduce((total, { spent }) => total + spent[what], 0);
    return { requests: sum('requests'), reports: sum('reports') };
  }

  /** Requests that are left, of all keys. */
  get requestsLeft(): number {
    return this.keys.reduce(
      (total, { spent, isStraying }) => total + (isStraying ? 0 : this.budget.requests - spent.requests),
      0,
    );
  }

  /** Reports that a key has left. */
  reportsLeft(key: number): number {
    return this.budget.reports - this.keys[key].spent.reports;
  }

  get wifi(): Target[] {
    return this.knowledge.targets.filter(({ isBluetooth }) => !isBluetooth);
  }

  get devices(): Target[] {
    return this.knowledge.targets.filter(({ isBluetooth }) => isBluetooth);
  }

  believe({ victim }: Target, at: Position | undefined): void {
    if (at !== undefined) this.beliefs.set(victim, at);
  }

  /** Asks for one position. @throws BudgetSpent */
  async ask(body: object): Promise<Answered> {
    return (await this.askAll([body]))[0];
  }

  /** Asks for positions in batches, with whichever keys are answered. @throws BudgetSpent */
  async askAll(bodies: readonly object[]): Promise<Answered[]> {
    const answers: Answered[] = [];
    while (answers.length < bodies.length) {
      const key = this.keys.find(({ spent, isStraying }) => !isStraying && spent.requests < this.budget.requests);
      if (key === undefined) throw new BudgetSpent();
      const part = bodies.slice(
        answers.length,
        answers.length + Math.min(BATCH, this.budget.requests - key.spent.requests),
      );
      key.spent.requests += part.length;
      const { json } = await this.post(`/v1/geolocate/batch?key=${key.key}`, part);
      const found = (json as object[]).map(readAnswer);
      const refused = found.findIndex(({ reason }) => reason === 'strayLimitExceeded');
      key.isStraying = refused >= 0;
      answers.push(...(refused < 0 ? found : found.slice(0, refused)));
    }
    return answers;
  }

  /** Sends a request of any kind with a key; undefined where it has no budget. @param path with `?`, without the key */
  async request(
    path: string,
    body?: object,
    key = 0,
    method = 'POST',
  ): Promise<{ status: number; text: string; json: unknown }> {
    if (this.keys[key].spent.requests >= this.budget.requests) throw new BudgetSpent();
    this.keys[key].spent.requests++;
    return this.post(`${path}${path.includes('?') ? '&' : '?'}key=${this.keys[key].key}`, body, method);
  }

  /**
   * Contributes in one submission, and waits until it is learned. @throws BudgetSpent where the key has fewer reports
   * left, after sending what is left
   */
  async report(key: number, items: readonly object[], query = ''): Promise<void> {
    await this.submit(key, items, query);
    await this.learnt();
  }

  /**
   * Contributes without waiting. @throws BudgetSpent where the key has fewer reports left, after sending what is left
   */
  async submit(key: number, items: readonly object[], query = ''): Promise<void> {
    const sent = items.slice(0, Math.max(0, this.reportsLeft(key)));
    const { key: name, spent } = this.keys[key];
    spent.reports += sent.length;
    spent.requests++;
    if (sent.length > 0) await this.post(`/v2/geosubmit?key=${name}${query}`, { items: sent });
    if (sent.length < items.length) throw new BudgetSpent();
  }

  /** Waits until what was reported is learned. */
  async wait(): Promise<void> {
    await this.learnt();
  }

  /** Waits until the owners have reported their homes another time. */
  async waitForOwners(): Promise<void> {
    await this.othersReport();
    await this.learnt();
  }

  private post(path: string, body: object | undefined, method = 'POST') {
    return send(this.url, { agent: this.agent, path, method, body });
  }
}

/** Reads one answer. */
export function readAnswer(answer: unknown): Answered {
  const { location, accuracy, error, indoor } = answer as {
    location?: { lat: number; lng: number };
    accuracy?: number;
    error?: { errors: { reason: string }[] };
    indoor?: { floorIndex?: number };
  };
  if (location === undefined) return { ...NOWHERE, reason: error?.errors[0].reason };
  return { at: [location.lat, location.lng], accuracy: accuracy ?? 0, reason: undefined, indoor };
}

/** A list cut into parts of a size. */
export function partsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
