// The parts of the admin interface, which its routes (operations.ts) ask for their answers.

import type { Answerer } from '../../answer/answerer.ts';
import type { MapSetting } from '../../config/map_setting.ts';
import { RecentFigures } from '../../metrics/recent_figures.ts';
import type { MetricSources } from '../../metrics/sources.ts';
import type { BackgroundWorker } from '../../pool/background.ts';
import type { BackgroundTasks } from '../../tasks/background.ts';
import type { Readiness } from '../health.ts';
import type { Gate } from './access.ts';
import { Backups } from './backups.ts';
import { SessionRoutes } from './console.ts';
import { Explainer } from './explain.ts';
import { Imports } from './imports.ts';
import { Jobs } from './jobs.ts';
import { LogSearch } from './log_search.ts';
import { MapPlaces } from './map_places.ts';
import type { Sessions } from './sessions.ts';
import { Status } from './status.ts';
import { Tables } from './tables.ts';
import { Tiles } from './tiles.ts';

/** What the interface shows of the service. */
export interface AdminSources {
  /** Data folder, whose owner does the jobs. */
  folder: string;
  /** Where backups go; undefined if nobody has named a folder. */
  backupFolder: string | undefined;
  /** Address for devices. */
  publicUrl: string;
  /** What keeps the service from doing its work. */
  readiness: Readiness;
  metricSources: MetricSources;
  /** Takes a sentence for the operator. */
  onError(message: string): void;
  /** Opens an answerer, which the interface closes. */
  openAnswerer(): Promise<Answerer>;
  /** Other tiles for the ground of the console. */
  map: MapSetting | undefined;
  /** Starts a worker for tiles, which the interface closes. */
  startBackground(): BackgroundWorker<BackgroundTasks>;
  /** LONE_BEACONS_* bit: which beacons may place a device alone. */
  loneBeacons: number;
  /** The effective configuration without secrets: `GET /settings`. */
  settings(): object;
}

/** What answers. */
export type Admin = ReturnType<typeof openParts>;

/** Opens the parts; `close` ends what they do. */
export function openParts(sources: AdminSources, gate: Gate, sessions: Sessions) {
  const { folder, map, settings, openAnswerer, loneBeacons, metricSources } = sources;
  const jobs = new Jobs(folder);
  const background = sources.startBackground();
  const figures = new RecentFigures(metricSources);
  const explainer = new Explainer(folder, openAnswerer, loneBeacons);
  const tables = new Tables(folder, openAnswerer, loneBeacons);
  const tiles = new Tiles(background, folder);
  figures.start(sources.onError);
  return {
    folder,
    map,
    background,
    settings,
    jobs,
    figures,
    explainer,
    tables,
    tiles,
    backups: new Backups(sources.backupFolder, jobs),
    imports: new Imports(folder),
    log: new LogSearch(folder),
    session: new SessionRoutes(gate, sessions, sources.publicUrl, folder),
    status: new Status(folder, sources.readiness, metricSources.files),
    places: new MapPlaces(background, map),
    close: async () => {
      jobs.close();
      await Promise.all([explainer.close(), tables.close()]);
      await tiles.close();
      await figures.stop(sources.onError);
    },
  };
}
