// A town, and a log of what a dozen devices report there: accounts that are trusted and not, access points and cells,
// routers that move, hotspots that travel, readings without a level, positions that jump.

import type { Report } from '../../../src/tables/observations/report.ts';
import { normal, uniform } from '../random.ts';
import { metresTo, moved, type Position } from './ground.ts';
import { cell, type Heard, HOME, report, TRUSTED } from './reports.ts';
import { deviceMac, macKey } from './stations.ts';

const TOWN_METRES = 4_000;
const ACCESS_POINTS = 200;
const CELLS = 12;
const DEVICES = 12;
/** One report in so many seconds. */
const STEP_SECONDS = 300;

/** @param count reports, the same for the same seed */
export function drawnLog(seed: number, count: number): Report[] {
  const random = uniform(seed);
  const bell = normal(random);
  const position = (): Position => moved(HOME, (random() - 0.5) * TOWN_METRES, (random() - 0.5) * TOWN_METRES);
  const near = (at: Position, metres: number): Position => moved(at, bell() * metres, bell() * metres);
  const routers = Array.from({ length: ACCESS_POINTS }, position);
  const masts = Array.from({ length: CELLS }, position);
  const devices = Array.from({ length: DEVICES }, (_, n) => ({ who: n < 2 ? TRUSTED : n, at: position() }));
  return Array.from({ length: count }, (_, n) => {
    const device = Math.floor(random() * DEVICES);
    const { who } = devices[device];
    // Most walk on, some are driven across the town, and now and then a position is far off.
    devices[device].at = random() < 0.05 ? position() : near(devices[device].at, 150);
    const at = random() < 0.02 ? moved(devices[device].at, 0, 40_000) : devices[device].at;
    if (random() < 0.01) routers[Math.floor(random() * 20)] = position();
    const heard: Heard[] = [];
    for (const [i, router] of routers.entries()) {
      const metres = metresTo(router, at);
      if (metres < 350)
        heard.push({
          key: macKey(deviceMac(i)),
          dbm: random() < 0.1 ? undefined : -40 - Math.round(metres / 8 + random() * 10),
        });
    }
    // One hotspot rides with every third device.
    if (device % 3 === 0) heard.push({ key: macKey(deviceMac(1_000 + device)), dbm: -45 });
    for (const i of masts.keys())
      if (random() < 0.3)
        heard.push({
          key: cell(i),
          dbm: -60 - Math.floor(random() * 60),
          code: i * 7,
          ageMs: Math.floor(random() * 9_000),
        });
    return report(who, at, n * STEP_SECONDS + Math.floor(random() * 3_000), heard, {
      accuracyMetres: random() < 0.1 ? Number.NaN : 3 + random() * 60,
      speed: random() < 0.5 ? Number.NaN : random() * 30,
      positionAgeMs: random() < 0.5 ? Number.NaN : random() * 5_000,
      track: device % 2 === 0 ? 0 : 1 + device,
    });
  });
}
