// Reads lines of indoor walks: `{"id": track, "site", "floor", "wp": [[ms, x, y]], "wifi": [[ms, [[mac, dBm, MHz, age
// ms]]]], "ble": [[ms, uuid, major, minor, power, dBm, mac]]}`. "site" names a building. x and y are metres on the
// floor's plan; other members are ignored.
//
// Walkers marked way-points as they passed them, and walked straight and at an even pace between them, so the truth of
// a scan is interpolated in time. Scans before the first way-point or after the last have no truth. Beacons are those
// heard within 3 s before the scan, each with its last reading.

import { type FloorPlan, positionOnPlan } from './floor_plan.ts';
import { fileNameOf, type Line, listOf, numberOf, textOf } from './line_value.ts';

const BEACON_AGE_MS_MAX = 3_000;
/** Accuracy: way-points are marked to the step, on a plan drawn to the metre. */
const TRUTH_METRES = 2;
const TIME_MS_MAX = 4_102_444_800_000; // the year 2100
const AGE_MS_MAX = 1e12; // some phones count from when they started

/** A way-point: milliseconds since 1970, metres on the plan. */
export type WayPoint = readonly [timeMs: number, x: number, y: number];

/** A scan of a walk. The entries of its lists have the member names of the interface. */
export interface WalkScan {
  /** Walk and time. */
  id: string;
  track: string;
  device: string;
  /** Milliseconds since 1970. */
  timeMs: number;
  /** Name of the building, and of the floor on its plans. */
  site: string;
  floor: string;
  /** The truth, degrees, and its accuracy in metres. */
  latitude: number;
  longitude: number;
  accuracyMetres: number;
  cellTowers: readonly never[];
  wifiAccessPoints: readonly AccessPoint[];
  bluetoothBeacons: readonly Beacon[];
}

interface AccessPoint {
  macAddress: string;
  /** dBm. */
  signalStrength: number;
  /** MHz. */
  frequency: number;
  /** Milliseconds before the scan. */
  age: number;
}

/** An iBeacon as requests name it. */
export interface Beacon {
  macAddress: string;
  uuid: string;
  major: number;
  minor: number;
  /** dBm. */
  signalStrength: number;
  /** Milliseconds before the scan. */
  age: number;
}

/** Reads lines one after the other. */
export class WalkLines {
  private readonly plans = new Map<string, FloorPlan>();
  private readonly planOf: (building: string, floor: string) => FloorPlan;

  /** @param planOf reads a floor's plan; called once for each floor */
  constructor(planOf: (building: string, floor: string) => FloorPlan) {
    this.planOf = planOf;
  }

  /** @throws Error naming the member that is wrong */
  *read(line: Line): Generator<WalkScan> {
    const walk = textOf(line.id, 'id');
    const site = fileNameOf(line.site, 'site');
    const floor = fileNameOf(line.floor, 'floor');
    const plan = this.plan(site, floor);
    const wayPoints = listOf(line.wp, 'wp').map(readWayPoint);
    const beacons = line.ble === undefined ? [] : listOf(line.ble, 'ble').map(readBeacon);
    for (const [i, entry] of listOf(line.wifi, 'wifi').entries()) {
      const [time, readings] = listOf(entry, `wifi[${i}]`);
      const timeMs = numberOf(time, `wifi[${i}][0]`, 0, TIME_MS_MAX);
      const wifiAccessPoints = listOf(readings, `wifi[${i}][1]`).map(reading =>
        readAccessPoint(reading, `a reading of wifi[${i}]`),
      );
      const truth = pointAt(wayPoints, timeMs);
      if (truth === undefined) continue;
      const [latitude, longitude] = positionOnPlan(plan, ...truth);
      yield {
        id: `${walk}@${timeMs}`,
        track: walk,
        device: walk,
        timeMs,
        site,
        floor,
        latitude,
        longitude,
        accuracyMetres: TRUTH_METRES,
        cellTowers: [],
        wifiAccessPoints,
        bluetoothBeacons: heardBefore(beacons, timeMs),
      };
    }
  }

  private plan(building: string, floor: string): FloorPlan {
    const name = `${building}/${floor}`;
    const plan = this.plans.get(name) ?? this.planOf(building, floor);
    this.plans.set(name, plan);
    return plan;
  }
}

/** The walker's position, metres on the plan; undefined outside the time of the walk. */
export function pointAt(wayPoints: readonly WayPoint[], timeMs: number): [x: number, y: number] | undefined {
  for (let i = 1; i < wayPoints.length; i++) {
    const [fromMs, fromX, fromY] = wayPoints[i - 1];
    const [toMs, toX, toY] = wayPoints[i];
    if (timeMs < fromMs || timeMs > toMs) continue;
    const part = toMs === fromMs ? 0 : (timeMs - fromMs) / (toMs - fromMs);
    return [fromX + part * (toX - fromX), fromY + part * (toY - fromY)];
  }
  return undefined;
}

type HeardBeacon = Omit<Beacon, 'age'> & { timeMs: number };

function heardBefore(beacons: readonly HeardBeacon[], timeMs: number): Beacon[] {
  const last = new Map<string, Beacon>();
  for (const { timeMs: heardMs, ...beacon } of beacons) {
    const age = timeMs - heardMs;
    if (age < 0 || age > BEACON_AGE_MS_MAX) continue;
    const earlier = last.get(beacon.macAddress);
    if (earlier === undefined || age <= earlier.age) last.set(beacon.macAddress, { ...beacon, age });
  }
  return [...last.values()];
}

function readWayPoint(value: unknown, i: number): WayPoint {
  const [time, x, y] = listOf(value, `wp[${i}]`);
  return [
    numberOf(time, `wp[${i}][0]`, 0, TIME_MS_MAX),
    numberOf(x, `wp[${i}][1]`, -1e5, 1e5),
    numberOf(y, `wp[${i}][2]`, -1e5, 1e5),
  ];
}

function readAccessPoint(value: unknown, name: string): AccessPoint {
  const [macAddress, signalDbm, frequency, age] = listOf(value, name);
  return {
    macAddress: textOf(macAddress, name),
    signalStrength: numberOf(signalDbm, name, -200, 0),
    frequency: numberOf(frequency, name, 0, 100_000),
    age: numberOf(age, name, -AGE_MS_MAX, AGE_MS_MAX),
  };
}

function readBeacon(value: unknown, i: number): HeardBeacon {
  const name = `ble[${i}]`;
  const [time, uuid, major, minor, , signalDbm, macAddress] = listOf(value, name);
  return {
    timeMs: numberOf(time, name, 0, TIME_MS_MAX),
    macAddress: textOf(macAddress, name),
    uuid: textOf(uuid, name),
    major: numberOf(Number(major), name, 0, 65_535),
    minor: numberOf(Number(minor), name, 0, 65_535),
    signalStrength: numberOf(signalDbm, name, -200, 50),
  };
}
