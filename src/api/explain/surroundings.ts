// What an explained answer stands in, for a map: the outlines of building, floor and room, and where the device was
// before.

import { FEATURES } from '../../features.ts';
import type { ShapeJson } from '../../protocol/answers/geocodejson.ts';
import type { LoggedRequest } from '../../tables/requests/record.ts';
import { readWalks } from '../../tasks/walks.ts';
import type { DeviceState } from '../../tracking/state_token.ts';

const HOUR_MS = 3_600_000;
/** The latest ones are shown. */
const POSITIONS_MAX = 100;

/** An outline that the answer lies in. */
export interface Shape {
  about: 'building' | 'floor' | 'room';
  name: string;
  /** GeoJSON. */
  geometry: ShapeJson;
}

/** A position of the device before this one. */
export interface EarlierPosition {
  /** ISO 8601, UTC. */
  time: string;
  latitude: number;
  longitude: number;
}

/** The outlines of what an answer names, the largest first. @throws Error when a table cannot be used */
export async function shapesAround(folder: string, response: unknown): Promise<Shape[]> {
  const shapes = FEATURES.map(({ outlines }) => outlines(folder, (response ?? {}) as object));
  return (await Promise.all(shapes)).flat() as Shape[];
}

/**
 * Where the device of a logged request was before, the latest last: its logged positions that led there, or else where
 * its state says that it was. @throws Error when the log cannot be used
 */
export async function positionsBefore(
  folder: string,
  { logId, time, device, account }: LoggedRequest,
  state: DeviceState | undefined,
): Promise<EarlierPosition[]> {
  const hours = Math.ceil((Date.now() - Date.parse(time)) / HOUR_MS) + 1;
  const walks = device === undefined ? [] : await readWalks(folder, { device, account, hours });
  const steps = walks.map(each => each.steps).find(each => each.some(step => step.logId === logId)) ?? [];
  const before = steps.slice(
    0,
    Math.max(
      0,
      steps.findIndex(step => step.logId === logId),
    ),
  );
  if (before.length === 0 && state !== undefined) {
    const { timeMs, latitude, longitude } = state;
    return [{ time: new Date(timeMs).toISOString(), latitude, longitude }];
  }
  return before.slice(-POSITIONS_MAX).map(step => ({
    time: step.time,
    latitude: step.latitude,
    longitude: step.longitude,
  }));
}
