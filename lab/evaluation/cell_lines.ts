// Reads lines of cell scans: `{"g": track, "t": ms or null, "lat", "lon", "acc": m or null, "cells": [{"radio", "mcc",
// "mnc", "lac", "cid", "psc", "arfcn", "rss": dBm, "ta", "s": 1 = serving}]}`; other members are ignored.
//
// A fix worse than 30 m is not used as truth. Only the first scan at each fix counts, so that a parked phone counts
// once. A time before the year 2000 is that of a clock without a date: it is left out, as services refuse it.

import {
  type Line,
  listOf,
  membersOf,
  numberOf,
  optionalNumberOf,
  present,
  textOf,
} from '../../src/indoor/transfer/surveys/line_value.ts';
import type { CellTower, Scan } from './scan.ts';

const FIX_METRES_MAX = 30;
const RADIOS = ['gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr'];
/** The years 2000 and 2100. */
const TIME_MS_MIN = 946_684_800_000;
const TIME_MS_MAX = 4_102_444_800_000;

/** Reads lines one after the other. Yields a scan if the line has one that counts. */
export class CellLines {
  /** The last fix of each track. */
  private readonly fixes = new Map<string, string>();

  /** @param id of the line @throws Error naming the member that is wrong */
  *read(line: Line, id: string): Generator<Scan> {
    const track = textOf(line.g, 'g');
    const latitude = numberOf(line.lat, 'lat', -90, 90);
    const longitude = numberOf(line.lon, 'lon', -180, 180);
    const accuracyMetres = optionalNumberOf(line.acc, 'acc', 0, Number.MAX_VALUE);
    const time = optionalNumberOf(line.t, 't', 0, TIME_MS_MAX);
    const cellTowers = listOf(line.cells, 'cells').map(readCell);
    if (accuracyMetres !== undefined && accuracyMetres > FIX_METRES_MAX) return;
    const fix = `${latitude},${longitude}`;
    if (this.fixes.get(track) === fix) return;
    this.fixes.set(track, fix);
    yield {
      id,
      track,
      device: track,
      timeMs: time === undefined || time < TIME_MS_MIN ? undefined : time,
      latitude,
      longitude,
      accuracyMetres,
      cellTowers,
      wifiAccessPoints: [],
      bluetoothBeacons: [],
    };
  }
}

function readCell(value: unknown, index: number): CellTower {
  const name = `cells[${index}]`;
  const { radio, mcc, mnc, lac, cid, psc, arfcn, rss, ta, s } = membersOf(value, name);
  if (!RADIOS.includes(radio as string))
    throw new Error(`${name}.radio must be one of ${RADIOS.join(', ')}, not ${JSON.stringify(radio)}.`);
  const whole = (member: unknown, label: string) =>
    optionalNumberOf(member, `${name}.${label}`, 0, Number.MAX_SAFE_INTEGER);
  return present<CellTower>({
    radioType: radio as string,
    mobileCountryCode: numberOf(mcc, `${name}.mcc`, 0, 999),
    mobileNetworkCode: numberOf(mnc, `${name}.mnc`, 0, 32_767),
    locationAreaCode: whole(lac, 'lac'),
    cellId: whole(cid, 'cid'),
    signalStrength: optionalNumberOf(rss, `${name}.rss`, -200, 0),
    primaryScramblingCode: whole(psc, 'psc'),
    timingAdvance: whole(ta, 'ta'),
    arfcn: whole(arfcn, 'arfcn'),
    serving: s === 1 ? 1 : 0,
  });
}
