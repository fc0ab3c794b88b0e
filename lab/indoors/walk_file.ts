// Reads a file of walks with floors: their scans with the truth, and the steps of the walkers, `"steps": [[ms, radians
// from north]]`.

import { floorIndexOf, mapsFolder, readFloorPlan } from '../../src/indoor/transfer/surveys/floor_plan.ts';
import { listOf, numberOf } from '../../src/indoor/transfer/surveys/line_value.ts';
import { WalkLines } from '../../src/indoor/transfer/surveys/walk_lines.ts';
import { linesOf, openScans } from '../evaluation/scan_file.ts';
import type { Walk } from './indoor_scan.ts';
import { PlanModel } from './plan_model.ts';

/** The walks of a file, and the plans of their building. */
interface WalkFile {
  walks: readonly Walk[];
  /** The line of each walk. */
  lines: readonly string[];
  model: PlanModel;
}

/**
 * Reads a file. @throws Error naming the line that is invalid, or the plan that is missing; or when the walks are of
 * several buildings
 */
export async function readWalks(file: string): Promise<WalkFile> {
  if ((await openScans(file)).kind !== 'walks') throw new Error(`${file} holds no walks: its first line has no "wp".`);
  const lines = new WalkLines((building, floor) => readFloorPlan(mapsFolder(file), building, floor));
  const walks: Walk[] = [];
  const texts: string[] = [];
  const labels = new Set<string>();
  const sites = new Set<string>();
  for await (const { number, members } of linesOf(file)) {
    try {
      const scans = [...lines.read(members)].map(({ site, floor, ...scan }) => {
        labels.add(floor);
        sites.add(site);
        return { ...scan, building: site, floor: floorIndexOf(floor) ?? Number.NaN, room: undefined };
      });
      const steps = members.steps === undefined ? [] : listOf(members.steps, 'steps').map(readStep);
      if (scans.length === 0) continue;
      walks.push({ id: scans[0].track, scans, steps });
      texts.push(JSON.stringify(members));
    } catch (error) {
      throw new Error(`${file}, line ${number}: ${(error as Error).message}`);
    }
  }
  const [site] = sites;
  if (sites.size !== 1) throw new Error(`${file} holds walks of ${sites.size} buildings; one is evaluated at a time.`);
  const model = new PlanModel(mapsFolder(file), site, [...labels]);
  const withRooms = ({ scans, ...walk }: Walk): Walk => ({
    ...walk,
    scans: scans.map(scan => ({ ...scan, room: model.roomAt(scan.floor, scan.latitude, scan.longitude) })),
  });
  return { walks: walks.map(withRooms), lines: texts, model };
}

function readStep(value: unknown, i: number): [number, number] {
  const [time, heading] = listOf(value, `steps[${i}]`);
  return [
    numberOf(time, `steps[${i}][0]`, 0, Number.MAX_SAFE_INTEGER),
    numberOf(heading, `steps[${i}][1]`, -2 * Math.PI, 2 * Math.PI),
  ];
}
