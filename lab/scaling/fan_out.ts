// What does a client wait for when a request asks several machines? It comes to a thread of one machine, which asks the
// shards that have the stations, each at one of its copies, and waits for the last answer.
//
//   arrival -> queue of a thread -> its work -> network -> for each shard: queue of a thread -> its work -> network ->
//   the last of them -> answer
//
// A thread is a queue of its own (a connection belongs to a thread). Work varies exponentially about its mean, and a
// thread stands still in pauses of the machine, whose number and length are measured. Requests come at random, so what
// one finds before it in a queue is the stationary workload of M/G/1: by Pollaczek and Khinchine a sum of a geometric
// number of terms, each what is left of some work or pause. (What is left of an exponential time is exponential with
// the same mean.) So each wait is drawn exactly, without running a queue until it is steady.
// All is drawn from a seed.
//
// One machine may be lost. Before that is noticed, whoever asks it, a proxy or another machine, waits for a time-out
// and asks another copy. With hedging it asks once more elsewhere after a shorter while, and the first answer counts
// (Dean and Barroso, The Tail at Scale, 2013). Second questions are few, so their load is left out. Afterwards the
// other copies carry the load of the lost one.

import { seededRandom } from '../draws.ts';
import { expectedShards } from './designs.ts';

/** What is simulated. Times in microseconds. */
export interface FanOut {
  /** Shards, and keys of a request. With one shard the first thread has the answer. */
  shards: number;
  keys: number;
  /** Machines with the same stations. */
  copies: number;
  /** Mean work of the thread that a request comes to, and of one that is asked. */
  frontWork: number;
  shardWork: number;
  /** One way between machines. */
  network: number;
  /** Share of its time that a thread works while no machine is lost. */
  load: number;
  pausesPerSecond: number;
  pauseMicroseconds: number;
  /** What happens to one machine: nothing, lost and not yet noticed, or lost and no longer asked. */
  lost?: 'unnoticed' | 'noticed' | undefined;
  timeout: number;
  /** Asks once more after so long; infinite for never. */
  hedge: number;
  requests: number;
  seed: number;
}

/** Microseconds. */
export interface Latencies {
  p50: number;
  p99: number;
}

/** Latencies of the requests, as the client sees them. @throws Error when the copies cannot carry the load */
export function simulateFanOut(fan: FanOut): Latencies {
  const { shards, keys, copies, network, timeout, hedge, lost } = fan;
  const random = seededRandom(fan.seed);
  const machines = shards * copies;
  const wait = Math.min(timeout, hedge);
  const others = (count: number) => (lost === 'noticed' ? count / (count - 1) : 1);
  const front = taskOf(fan, random, fan.frontWork, others(machines));
  const asked = taskOf(fan, random, fan.shardWork, 1);
  const askedOfTheRest = taskOf(fan, random, fan.shardWork, others(copies));
  /** Microseconds lost by asking the machine that is down, if it is one of so many. */
  const missed = (count: number) => (lost === 'unnoticed' && random() * count < 1 ? wait : 0);
  const answerOf = (shard: number): number => {
    // The lost machine is a copy of the first shard.
    const task = shard === 0 ? askedOfTheRest : asked;
    const first = (shard === 0 ? missed(copies) : 0) + 2 * network + task();
    return first > hedge ? Math.min(first, hedge + 2 * network + task()) : first;
  };
  const latencies = new Float64Array(fan.requests);
  for (let request = 0; request < fan.requests; request++) {
    let last = 0;
    if (shards > 1) for (const shard of drawShards(shards, keys, random)) last = Math.max(last, answerOf(shard));
    latencies[request] = missed(machines) + front() + last;
  }
  latencies.sort();
  const at = (share: number) => latencies[Math.min(fan.requests - 1, Math.floor(share * fan.requests))];
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * Draws how long a task takes in the queue of a thread: what it finds there, and its own work.
 * @param more load to that while no machine is lost
 */
function taskOf(fan: FanOut, random: () => number, work: number, more: number): () => number {
  const { shards, keys, frontWork, shardWork, load, pausesPerSecond, pauseMicroseconds } = fan;
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const shardPart = shards === 1 ? 0 : expectedShards(shards, keys) * shardWork;
  const working = load * more;
  const paused = (pausesPerSecond * pauseMicroseconds) / 1e6;
  const busy = working + paused;
  if (busy >= 1) throw new Error(`Machines that are busy for ${busy} of the time do not keep pace.`);
  const frontShare = frontWork / (frontWork + shardPart);
  const rest = (): number => {
    if (random() * busy < paused) return exponential(pauseMicroseconds);
    return exponential(random() < frontShare ? frontWork : shardWork);
  };
  return () => {
    let time = exponential(work);
    while (random() < busy) time += rest();
    return time;
  };
}

/** The different shards of random keys. */
function drawShards(shards: number, keys: number, random: () => number): Set<number> {
  const drawn = new Set<number>();
  for (let key = 0; key < keys; key++) drawn.add(Math.floor(random() * shards));
  return drawn;
}
