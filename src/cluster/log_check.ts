// Whether the logs of all nodes are the same. Each log has a running hash of its batches, and of what it made of each
// (tables/observations/stream_mark.ts). The learner writes that of its own into the manifest, and the others compare
// theirs at the same position. A node that has another log, or tables that were learned from more than its log has,
// says so and takes over the tables and the log of the manifest. If that again leads to another log than the learner
// has, it is the learner's that is none of the cluster: it hears so, and does the same.

import type { StreamMark } from '../tables/observations/environment.ts';
import { type Manifest, NO_EPOCH } from './manifest.ts';
import type { NodeParts } from './node_parts.ts';
import type { NodeStatus, SaidLog } from './status.ts';

/** See above. */
export class LogCheck {
  private readonly parts: Pick<NodeParts, 'observations' | 'stations' | 'onError'>;
  /** The copy of the log that this node has taken over last because its own was another one. */
  private taken: string | undefined;
  /** What differs and is not mended by this node, as a sentence. */
  problem: string | undefined;

  constructor(parts: Pick<NodeParts, 'observations' | 'stations' | 'onError'>) {
    this.parts = parts;
  }

  /** What this node says of its log. */
  get said(): SaidLog {
    const { observations, stations } = this.parts;
    return { epoch: stations.knowledge.clusterMark?.epoch, mark: observations.streamMark, taken: this.taken };
  }

  /**
   * Compares the log of this node with the manifest, which it has followed or written.
   * @throws Error where it is to be taken over; then this node is to follow the manifest from its base on
   */
  async requireSame(manifest: Manifest): Promise<void> {
    const surplus = await this.surplus(manifest);
    const { logMark, learner } = manifest;
    if (logMark === undefined || !this.isOther(logMark)) return this.tell(surplus);
    const sentence = `The log of this node is another one than that of ${learner} at batch ${logMark.position}`;
    if (this.taken !== manifest.log.hash) await this.takeOver(manifest, sentence);
    // Whoever learns next writes what is so.
    this.tell(`${sentence}, which has to take it over.`);
  }

  /**
   * Compares the log of this node, which learns, with those of others.
   * @throws Error where it is that of this node which is to be taken over
   */
  async requireAll(manifest: Manifest, nodes: readonly NodeStatus[]): Promise<void> {
    const surplus = await this.surplus(manifest);
    const { epoch } = manifest.log;
    const other = nodes.find(({ log }) => log?.mark !== undefined && log.epoch === epoch && this.isOther(log.mark));
    if (other === undefined) return this.tell(surplus);
    const { mark, taken } = other.log!;
    const sentence = `The log of ${other.node} is another one than that of this node at batch ${mark!.position}`;
    if (taken === manifest.log.hash && this.taken !== taken) await this.takeOver(manifest, sentence);
    this.tell(`${sentence}.`);
  }

  /**
   * What the tables of this node were learned from and its log does not have, as a sentence, where that was taken over
   * with them. @throws Error where it is to be taken over
   */
  private async surplus(manifest: Manifest): Promise<string | undefined> {
    const { observations, stations } = this.parts;
    const { progress } = stations.knowledge;
    const { lastSequence } = observations;
    if (progress <= lastSequence) return undefined;
    const sentence = `The tables of this node were learned from ${progress} reports, and its log has ${lastSequence}`;
    if (this.taken !== manifest.log.hash) await this.takeOver(manifest, sentence);
    return `${sentence}: run "sextant aggregate --rebuild".`;
  }

  /** Notes what is so, and tells it once. */
  private tell(problem: string | undefined): void {
    if (problem !== undefined && problem !== this.problem) this.parts.onError(new Error(problem));
    this.problem = problem;
  }

  /** True if the log of this node had another mark at a position for certain. */
  private isOther({ position, created, since, chain }: StreamMark): boolean {
    const own = this.parts.observations.markAt(position);
    return own !== undefined && own.created === created && own.since === since && own.chain !== chain;
  }

  /** @throws Error always */
  private async takeOver({ cluster, log }: Manifest, sentence: string): Promise<never> {
    this.taken = log.hash;
    this.problem = undefined;
    const mark = { cluster, base: '', applied: 0, epoch: NO_EPOCH, isAhead: true };
    await this.parts.stations.note(knowledge => knowledge.setClusterMark(mark));
    throw new Error(`${sentence}: this node takes over the tables and the log of its cluster.`);
  }
}
