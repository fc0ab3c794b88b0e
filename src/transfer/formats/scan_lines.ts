// Scan lines: our own plain format for measurements with known positions, one JSON object a line.
//
//   {"g":"walk-7","t":1765182241000,"lat":50.8222,"lon":4.38926,"acc":3,
//    "cells":[{"radio":"lte","mcc":206,"mnc":1,"lac":2124,"cid":102764173,"psc":435,"rss":-78,"ta":1,"s":1}],
//    "aps":[["c0:ac:54:f5:7b:a7",-86,11]]}
//
// `lat` and `lon` and one of the lists are needed; anything else may be null. `g` names the track, `dev` the device
// where it has several tracks, `t` is seconds or milliseconds since 1970, `acc` metres, `floor` the index of the floor.
// Of a cell `rss` is dBm, `s` 1 for the serving one. An access point is [address, dBm, channel or MHz, age in ms].

import type { ReportDraft } from '../../intake/draft.ts';
import { readTime } from '../../radio/read_time.ts';
import { numberOf } from '../../radio/read_value.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { stated } from './row_reports.ts';

/** Channel numbers end below, frequencies in MHz begin above. */
const CHANNEL_MAX = 1000;

type Members = { readonly [member: string]: unknown };

/** Whether an object is a scan line, right or wrong, and not an item of a submission. */
export function isScanLine(value: Members): boolean {
  return Array.isArray(value.cells) || Array.isArray(value.aps);
}

/** Reads one scan line. */
export function readScanLine(value: Members): { draft: ReportDraft; device?: string } | Refusal {
  if (!isScanLine(value)) return { rule: 'scan', why: 'the line has neither cells nor aps' };
  const draft: ReportDraft = {
    latitude: numberOf(value.lat),
    longitude: numberOf(value.lon),
    ...stated({ timeMs: readTime(value.t), accuracyMetres: numberOf(value.acc), floor: numberOf(value.floor) }),
  };
  if (Array.isArray(value.cells)) draft.cellTowers = value.cells.map(cellOf);
  if (Array.isArray(value.aps)) draft.wifiAccessPoints = value.aps.map(accessPointOf);
  const device = value.dev ?? value.g;
  return typeof device === 'string' ? { draft, device } : { draft };
}

function cellOf(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  const { radio, mcc, mnc, lac, cid, psc, rss, ta, s } = cell as Members;
  return {
    radioType: radio,
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: lac,
    cellId: cid,
    primaryScramblingCode: psc,
    signalStrength: rss,
    timingAdvance: ta,
    serving: s,
  };
}

function accessPointOf(accessPoint: unknown): unknown {
  if (!Array.isArray(accessPoint)) return accessPoint;
  const [macAddress, signalStrength, tuned, age] = accessPoint as unknown[];
  return {
    macAddress,
    signalStrength,
    age,
    ...(numberOf(tuned) > CHANNEL_MAX ? { frequency: tuned } : { channel: tuned }),
  };
}
