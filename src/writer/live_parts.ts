// The secrets of a data folder while it is owned: rotation, and the end of an old one. What is on disk comes first, so
// no token is sealed under a secret that a kill could take away.

import { folderSecrets, rotatedSecrets, writeSecrets } from '../folder/secret.ts';
import type { PlacesImportJob, SecretJob } from '../jobs/job.ts';
import { livePlaces, removeUnusedExtracts } from '../tables/places/extract_files.ts';
import { currentLayer, placesFolder, removeReplacedLayers, WORLD_FOLDER } from '../tables/places/generations.ts';
import { LayerShareSource, type LayerShareState } from '../tables/places/layer_share.ts';
import { type Secrets, shareSecrets } from '../tracking/secrets.ts';

/** How often the time of an old secret is looked at. */
const LOOK_MILLISECONDS = 60_000;

/** The result of a rotation. */
export interface SecretRotation {
  /** Until when the old secret opens tokens, ISO 8601, UTC; absent if it does no more. */
  oldUntil?: string;
}

/**
 * A rotation of secrets. @returns those that come after it, and until when the old one opens tokens @throws Error when
 * an older one still opens tokens and is not to be ended
 */
export function rotate(
  { overlapSeconds, force }: SecretJob,
  before: Secrets,
  nowMs: number,
): SecretRotation & { secrets: Secrets } {
  const { earlier } = before;
  if (earlier !== undefined && earlier.untilMs > nowMs && !force)
    throw new Error(
      `The secret before this one still opens state tokens, until ` +
        `${new Date(earlier.untilMs).toISOString()}; --force ends it now.`,
    );
  const untilMs = nowMs + overlapSeconds * 1000;
  const secrets = rotatedSecrets(before, nowMs, untilMs);
  return { secrets, ...(overlapSeconds > 0 && { oldUntil: new Date(untilMs).toISOString() }) };
}

/** Owns the file `secret` of a data folder. */
export class LiveSecrets {
  private readonly folder: string;
  private readonly memory: SharedArrayBuffer;
  private timer: NodeJS.Timeout | undefined;
  private old: Secrets['earlier'];
  /** Of a node of a cluster: new secrets must be those of all nodes first. */
  agree: ((secrets: Secrets) => Promise<void>) | undefined;

  /** @param memory of all threads, which somebody has filled from the file, or which nobody reads */
  constructor(folder: string, memory: SharedArrayBuffer) {
    this.folder = folder;
    this.memory = memory;
  }

  /**
   * From here on, drops an old secret from the disk when its time is over. @param onError called when it cannot be
   * dropped; the next time tries again
   */
  start(onError: (error: Error) => void): void {
    this.old = folderSecrets(this.folder, Date.now()).earlier;
    this.timer = setInterval(() => {
      try {
        this.dropOld(Date.now());
      } catch (error) {
        onError(error as Error);
      }
    }, LOOK_MILLISECONDS);
  }

  /**
   * Makes a new secret, under which all threads seal from now on. @throws Error when an older one still opens tokens
   * and is not to be ended
   */
  async rotate(job: SecretJob, nowMs: number): Promise<SecretRotation> {
    const { secrets, ...rotation } = rotate(job, folderSecrets(this.folder, nowMs), nowMs);
    await this.agree?.(secrets);
    this.adopt(secrets);
    return rotation;
  }

  /** Those of this node. */
  read(): Secrets {
    return folderSecrets(this.folder, Date.now());
  }

  /** Makes secrets those of this folder, on disk and then in all threads. */
  adopt(secrets: Secrets): void {
    this.share(writeSecrets(this.folder, secrets));
  }

  private dropOld(nowMs: number): void {
    if (this.old !== undefined && this.old.untilMs <= nowMs) this.share(folderSecrets(this.folder, nowMs));
  }

  private share(secrets: Secrets): void {
    this.old = secrets.earlier;
    shareSecrets(this.memory, secrets);
  }

  close(): void {
    clearInterval(this.timer);
  }
}

// The live layers of places of a data folder. The owner hands them out to all threads while serving, and replaces them
// when an import has built new ones.

/** Owns `places/` of a data folder. */
export class LivePlaces {
  private readonly folder: string;
  private readonly share: LayerShareSource | undefined;

  /**
   * Removes leftovers of a kill and hands out the live layers.
   * @param dataFolder absolute path
   * @param state undefined in commands that serve nobody: then nothing is read or removed, so that a damaged layer can
   *   be replaced
   * @throws Error when a live layer cannot be used
   */
  constructor(dataFolder: string, state: LayerShareState | undefined) {
    this.folder = placesFolder(dataFolder);
    if (state === undefined) return;
    removeReplacedLayers(this.folder);
    this.share = new LayerShareSource(state);
    removeUnusedExtracts(dataFolder, livePlaces(dataFolder));
    this.share.replace({ world: currentLayer(WORLD_FOLDER), extract: currentLayer(this.folder) });
  }

  /**
   * Adopts the layer that an import has made live on disk. Threads switch to it at their next batch. The previous layer
   * loses its name now, and its disk space once the last thread has closed it.
   */
  adopt(kind: PlacesImportJob['kind']): void {
    if (kind === 'places') {
      this.share?.replace({ world: currentLayer(WORLD_FOLDER) });
      return;
    }
    this.share?.replace({ extract: currentLayer(this.folder) });
    removeReplacedLayers(this.folder);
  }
}
