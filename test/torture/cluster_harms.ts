// What is done to a cluster in a round, by name. Each harm is over when it returns: what was killed runs again, and
// cables are mended. Steps of a node are seen on its cables: the message of NATS by which it claims, publishes or stores
// something is stopped there, and the node is killed before it has gone out, or when it has arrived.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectToCluster } from '../../src/cluster/connection.ts';
import { MANIFEST_KEY } from '../../src/cluster/manifest.ts';
import { openStores } from '../../src/cluster/stores.ts';
import { shuffled } from '../kits/random.ts';
import type { TcpLink, Trap } from '../kits/tcp_link.ts';
import { type ClusterScene, NAMES, type Name } from './cluster_scene.ts';
import { CLOCK_WORD, fillDisk, writeWord } from './faults.ts';

/** One kind of harm. */
interface Harm {
  /** For the help and the table. */
  does: string;
  /** To what it is done: two harms at once are done to different things. */
  to: 'nodes' | 'servers' | 'cables' | 'all';
  /** Does it, and ends it. @returns false if it did not come about */
  act(scene: ClusterScene): Promise<boolean>;
  /** Nobody answers meanwhile. */
  isTotal?: true;
  /** Stations are imported meanwhile, at a node that is drawn. */
  imports?: true;
  needsDisk?: true;
  /** It is done to one server of several. */
  needsServers?: true;
  needsOlder?: true;
}

/** A message on a cable of a node. */
type Step = Omit<Trap, 'springs'>;

const MANIFEST: Step = { direction: 'up', text: 'PUB $KV.sextant.manifest ', passes: 1 };
const LEASE: Step = { direction: 'up', text: 'PUB $KV.sextant_lease.learner ', passes: 3 };
const OBJECT: Step = { direction: 'up', text: 'PUB $O.sextant_tables.C.', passes: 2 };
const OBJECT_NAME: Step = { direction: 'up', text: 'PUB $O.sextant_tables.M.', passes: 2 };
const REPORT: Step = { direction: 'up', text: 'PUB sextant.reports ', passes: 5 };
const REPORT_READ: Step = { direction: 'down', text: 'sextant.reports', passes: 10 };
const PURGE: Step = { direction: 'up', text: 'PUB $JS.API.STREAM.PURGE.', passes: 1 };

/** How often it is looked who learns. */
const LOOK_MILLISECONDS = 200;
/** A step that is not taken by then is not waited for. */
const STEP_MILLISECONDS = 15_000;
const CLOCK_SECONDS = 60;
const FILLER = 'filler';
/** A node's disk is full, but for less than this. */
const LEFT_BYTES_MAX = 1_000_000;

/** All harms by name. */
export const HARMS = {
  none: { to: 'all', does: 'nothing', act: scene => scene.pause(1, 2).then(() => true) },
  learner: {
    to: 'nodes',
    does: 'kill -9 of the learner',
    act: async scene => restarted(scene, [await scene.learner()]),
  },
  node: {
    to: 'nodes',
    does: 'kill -9 of another node',
    act: async scene => restarted(scene, [scene.drawOther(await scene.learner())]),
  },
  nodes: { to: 'nodes', does: 'kill -9 of all nodes', act: async scene => restarted(scene, NAMES), isTotal: true },
  empty: {
    to: 'nodes',
    does: 'a node starts again without its folder',
    act: async scene => scene.killAndStart(scene.draw(NAMES), true).then(() => true),
  },
  server: {
    to: 'servers',
    does: 'kill -9 of a server of NATS',
    act: async scene => {
      const server = scene.draw(scene.servers);
      await server.kill();
      await scene.pause(0, 5);
      await server.start();
      return true;
    },
  },
  servers: {
    to: 'servers',
    does: 'kill -9 of all servers of NATS at once',
    act: async scene => {
      await Promise.all(scene.servers.map(server => server.kill()));
      await scene.pause(0, 3);
      await Promise.all(scene.servers.map(server => server.start()));
      return true;
    },
  },
  emptyServer: {
    to: 'all',
    does: 'a server of NATS starts again without its folder, when the others have what it had',
    needsServers: true,
    act: async scene => {
      const server = scene.draw(scene.servers);
      await server.kill();
      await scene.pause(4, 6);
      rmSync(server.folder, { recursive: true });
      await server.start();
      return true;
    },
  },
  stopLearner: {
    to: 'nodes',
    does: 'SIGSTOP of the learner until another one learns, then SIGCONT: two learners',
    act: async scene => {
      const learner = await scene.learner();
      process.kill(scene.node(learner).pid, 'SIGSTOP');
      await succeeded(scene, learner).finally(() => process.kill(scene.node(learner).pid, 'SIGCONT'));
      return true;
    },
  },
  stopNode: {
    to: 'nodes',
    does: 'SIGSTOP of another node for 2 to 9 s, or for 60 s (one of eight)',
    act: async scene => stopped(scene, [scene.node(scene.drawOther(await scene.learner())).pid]),
  },
  stopServer: {
    to: 'servers',
    does: 'SIGSTOP of a server of NATS for 2 to 9 s, or for 60 s (one of eight)',
    act: async scene => stopped(scene, [scene.draw(scene.servers).pid]),
  },
  stopServers: {
    to: 'servers',
    does: 'SIGSTOP of two or all servers of NATS for 2 to 9 s, or for 60 s (one of eight)',
    act: async scene =>
      stopped(
        scene,
        scene.servers.slice(scene.draw([0, 1])).map(({ pid }) => pid),
      ),
  },
  cutNode: {
    to: 'cables',
    does: 'a node cut off from one server or all, connections broken or bytes held',
    act: async scene => {
      const links = scene.links.get(scene.random() < 0.5 ? await scene.learner() : scene.draw(NAMES))!;
      return cut(scene, scene.random() < 0.7 ? links : [scene.draw(links)]);
    },
  },
  cutServer: {
    to: 'cables',
    does: 'a server of NATS cut off from the others, with nodes on it',
    needsServers: true,
    act: async scene => cut(scene, scene.routesOf(scene.draw([0, 1, 2]))),
  },
  partition: {
    to: 'cables',
    does: 'all servers of NATS cut off from each other, with nodes on each of them',
    needsServers: true,
    act: async scene =>
      cut(
        scene,
        scene.routes.flatMap(links => Object.values(links)),
      ),
  },
  slow: {
    to: 'cables',
    does: 'every connection late by 5 to 300 ms of its own, so that messages of two come in another order',
    act: async scene => {
      for (const link of scene.allLinks()) link.slow(() => 5 + 295 * scene.random() ** 2);
      await scene.pause(3, 5);
      for (const link of scene.allLinks()) link.slow(undefined);
      return true;
    },
  },
  disk: {
    to: 'nodes',
    does: "a node's disk full",
    act: async scene => {
      const filler = join(scene.disks!.node, FILLER);
      fillDisk(scene.disks!.node, filler, Math.floor(scene.random() * LEFT_BYTES_MAX));
      await scene.pause(2, 6);
      rmSync(filler);
      return true;
    },
    needsDisk: true,
  },
  serverDisk: {
    to: 'servers',
    does: "a server's disk full; it starts again with space",
    act: async scene => {
      const filler = join(scene.disks!.server, FILLER);
      fillDisk(scene.disks!.server, filler, 0);
      await scene.pause(2, 5);
      rmSync(filler);
      const server = scene.servers.at(-1)!;
      await server.kill();
      await server.start();
      return true;
    },
    needsDisk: true,
  },
  full: {
    to: 'servers',
    does: 'JetStream full: it takes nothing, until there is space again',
    act: async scene => {
      const empty = await scene.fillStore();
      await scene.pause(2, 8);
      await empty();
      return true;
    },
  },
  clock: {
    to: 'nodes',
    does: "a node's clock 60 s ahead or behind",
    act: async scene => {
      const control = scene.controlOf(scene.random() < 0.5 ? await scene.learner() : scene.draw(NAMES));
      writeWord(control, CLOCK_WORD, scene.draw([-CLOCK_SECONDS, CLOCK_SECONDS]));
      await scene.pause(3, 6);
      writeWord(control, CLOCK_WORD, 0);
      return true;
    },
  },
  reporting: {
    to: 'nodes',
    does: 'a node killed while it sends a report to the stream',
    act: scene => killedAt(scene, scene.draw(NAMES), REPORT),
  },
  learning: {
    to: 'nodes',
    does: 'the learner killed while it reads a report from the stream',
    act: async scene => killedAt(scene, await scene.learner(), REPORT_READ),
  },
  publishing: {
    to: 'nodes',
    does: 'the learner killed while it stores a delta, or writes the manifest',
    act: async scene => killedAt(scene, await scene.learner(), scene.draw([OBJECT, OBJECT_NAME, MANIFEST])),
  },
  importing: {
    to: 'nodes',
    does: 'the learner killed while it imports: at a table, its name, the manifest, or what is cleared afterwards',
    act: async scene => killedAt(scene, await scene.learner(), scene.draw([OBJECT, OBJECT_NAME, MANIFEST, PURGE])),
    imports: true,
  },
  electing: {
    to: 'nodes',
    does: 'the learner killed, and the next one when it takes the lease or claims the manifest',
    act: async scene => {
      const learner = await scene.learner();
      await scene.killNode(learner);
      const others = NAMES.filter(name => name !== learner);
      const victim = await trapped(scene, others, scene.draw([LEASE, MANIFEST]), name => scene.killNode(name));
      const killed = victim === undefined ? [learner] : [learner, victim];
      await Promise.all(killed.map(name => scene.startNode(name)));
      return victim !== undefined;
    },
  },
  late: {
    to: 'nodes',
    does: 'the learner stopped when its manifest goes out, until another one learns; then both go on: its word comes late',
    act: async scene => {
      const stop = async (name: Name, pass: () => void): Promise<void> => {
        process.kill(scene.node(name).pid, 'SIGSTOP');
        await succeeded(scene, name).finally(() => {
          pass();
          process.kill(scene.node(name).pid, 'SIGCONT');
        });
      };
      return (await trapped(scene, [await scene.learner()], MANIFEST, stop)) !== undefined;
    },
  },
  newer: {
    to: 'all',
    does: 'a manifest of a newer format, which no node can read, for some seconds',
    act: writeNewerManifest,
  },
  older: {
    to: 'all',
    does: 'the program of an earlier version beside this one: on one node, then on all but one, then on none',
    act: async scene => {
      const [first, second] = shuffled(NAMES, scene.random);
      for (const [name, program] of [
        [first, scene.older],
        [second, scene.older],
        [first, undefined],
        [second, undefined],
      ] as const) {
        await scene.node(name).stop();
        await scene.startNode(name, program);
        await scene.pause(0.5, 2);
      }
      return true;
    },
    needsOlder: true,
  },
} as const satisfies Record<string, Harm>;

/** Name of a harm. */
export type HarmName = keyof typeof HARMS;

/** A harm by its name. */
export function harmOf(name: HarmName): Harm {
  return HARMS[name];
}

async function restarted(scene: ClusterScene, names: readonly Name[]): Promise<boolean> {
  await Promise.all(names.map(name => scene.killNode(name)));
  if (names.length === 1) await scene.pause(0, 2);
  await Promise.all(names.map(name => scene.startNode(name)));
  return true;
}

/** Waits until another node learns. */
async function succeeded(scene: ClusterScene, learner: Name): Promise<void> {
  while ((await scene.learner()) === learner) await delay(LOOK_MILLISECONDS);
  await scene.pause(0, 2);
}

async function stopped(scene: ClusterScene, pids: readonly number[]): Promise<boolean> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  if (scene.random() < 1 / 8) await delay(60_000);
  else await scene.pause(2, 9);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  return true;
}

async function cut(scene: ClusterScene, links: readonly TcpLink[]): Promise<boolean> {
  const as = scene.draw(['refused', 'stalled'] as const);
  for (const link of links) link.cut(as);
  await scene.pause(2, 9);
  for (const link of links) link.mend();
  return true;
}

/** Kills a node at a step, before its message has gone on or right after, and starts it again. */
async function killedAt(scene: ClusterScene, name: Name, step: Step): Promise<boolean> {
  const isAfter = scene.random() < 0.5;
  const victim = await trapped(scene, [name], step, async (_name, pass) => {
    if (isAfter) pass();
    if (step.direction === 'down') await scene.pause(0, 0.3);
    await scene.killNode(name);
  });
  if (victim === undefined) return false;
  await scene.pause(0, 2);
  await scene.startNode(name);
  return true;
}

/**
 * Waits until one of some nodes takes a step, and does something to it then. @returns its name; undefined if none takes
 * it in time
 */
async function trapped(
  scene: ClusterScene,
  names: readonly Name[],
  { direction, text, passes }: Step,
  act: (name: Name, pass: () => void) => Promise<void>,
): Promise<Name | undefined> {
  const links = names.flatMap(name => scene.links.get(name)!.map(link => ({ name, link })));
  const setAll = (trap: Trap | undefined): void => {
    for (const { link } of links) link.set(trap);
  };
  const left = Math.floor(scene.random() * passes);
  const sprung = new Promise<Name>((done, failed) => {
    for (const { name, link } of links)
      link.set({
        direction,
        text,
        passes: left,
        springs: async pass => {
          setAll(undefined);
          await act(name, pass).then(() => done(name), failed);
        },
      });
  });
  const victim = await Promise.race([sprung, delay(STEP_MILLISECONDS)]);
  if (victim === undefined && links.some(({ link }) => link.isTrapped)) {
    setAll(undefined);
    return undefined;
  }
  return sprung;
}

async function writeNewerManifest(scene: ClusterScene): Promise<boolean> {
  const connection = await connectToCluster(scene.address);
  try {
    const { keys } = await openStores(connection);
    const { value, revision } = (await keys.get(MANIFEST_KEY))!;
    const version = `99.0.${revision}`;
    const newer = JSON.stringify({ ...JSON.parse(Buffer.from(value).toString()), format: 99, version });
    const written = await keys.update(MANIFEST_KEY, newer, revision).catch(() => undefined);
    // The learner was faster.
    if (written === undefined) return false;
    for (const name of NAMES) await says(scene, name, `of version ${version}`);
    await keys.update(MANIFEST_KEY, value, written);
    return true;
  } finally {
    await connection.nats.close();
  }
}

/** Waits until a node says something to an operator. */
async function says(scene: ClusterScene, name: Name, text: string): Promise<void> {
  const printed = scene.node(name).hasPrinted(text);
  const said = await Promise.race([printed.then(() => true), delay(STEP_MILLISECONDS, false)]);
  if (!said) throw new Error(`${name} did not say that the manifest is ${text}.`);
}
