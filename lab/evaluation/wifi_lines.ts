// Reads lines of outdoor WiFi scans: `{"g": track, "dev": device, "t": seconds, "lat", "lon", "acc": m or null, "aps":
// [[mac, dBm, channel]]}`, each device's in order of time. The track is a block of two minutes of one device.
//
// A fix worse than 25 m is not used as truth. Android reports a scan in pieces, so scans of one device within 4 s and
// 15 m of the first are merged. A scan that then has one access point is left out, because the service never answers a
// single one.

import { distanceMetres } from '../../src/geo/distance.ts';
import { type Line, listOf, numberOf, optionalNumberOf, textOf } from '../../src/indoor/transfer/surveys/line_value.ts';
import type { AccessPoint, Scan } from './scan.ts';

const FIX_METRES_MAX = 25;
const MERGED_MS = 4_000;
const MERGED_METRES = 15;
const ACCESS_POINTS_MIN = 2;
const TIME_SECONDS_MAX = 4_102_444_800; // the year 2100

type WifiScan = Scan & { timeMs: number; wifiAccessPoints: AccessPoint[] };

/** Reads lines one after the other. Yields a scan when a later line no longer belongs to it. */
export class WifiLines {
  private open: WifiScan | undefined;

  /** @param id of the line @throws Error naming the member that is wrong */
  *read(line: Line, id: string): Generator<Scan> {
    const scan = readScan(line, id);
    if (scan.accuracyMetres !== undefined && scan.accuracyMetres > FIX_METRES_MAX) return;
    if (this.open !== undefined && belongs(scan, this.open)) {
      const heard = new Set(this.open.wifiAccessPoints.map(({ macAddress }) => macAddress));
      for (const accessPoint of scan.wifiAccessPoints)
        if (!heard.has(accessPoint.macAddress)) this.open.wifiAccessPoints.push(accessPoint);
      return;
    }
    yield* this.end();
    this.open = scan;
  }

  /** Yields the last scan, if there is one. */
  *end(): Generator<Scan> {
    if (this.open !== undefined && this.open.wifiAccessPoints.length >= ACCESS_POINTS_MIN) yield this.open;
    this.open = undefined;
  }
}

function belongs(scan: WifiScan, open: WifiScan): boolean {
  const sinceMs = scan.timeMs - open.timeMs;
  if (scan.device !== open.device || sinceMs < 0 || sinceMs > MERGED_MS) return false;
  return distanceMetres(open.latitude, open.longitude, scan.latitude, scan.longitude) <= MERGED_METRES;
}

function readScan(line: Line, id: string): WifiScan {
  return {
    id,
    track: textOf(line.g, 'g'),
    device: textOf(line.dev, 'dev'),
    timeMs: numberOf(line.t, 't', 0, TIME_SECONDS_MAX) * 1000,
    latitude: numberOf(line.lat, 'lat', -90, 90),
    longitude: numberOf(line.lon, 'lon', -180, 180),
    accuracyMetres: optionalNumberOf(line.acc, 'acc', 0, Number.MAX_VALUE),
    cellTowers: [],
    wifiAccessPoints: listOf(line.aps, 'aps').map((value, i) => {
      const [macAddress, signalDbm, channel] = listOf(value, `aps[${i}]`);
      return {
        macAddress: textOf(macAddress, `aps[${i}][0]`),
        signalStrength: numberOf(signalDbm, `aps[${i}][1]`, -200, 0),
        channel: numberOf(channel, `aps[${i}][2]`, 0, 500),
      };
    }),
    bluetoothBeacons: [],
  };
}
