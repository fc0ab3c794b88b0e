// Reads JSON: lines of which each is a value, or one document. A value is an item of a submission, the body of a
// submission (`{"items": [...]}`), a result of WiGLE or an answer with many (`{"results": [...]}`), or a scan line;
// every value is recognised by itself.
//
// A line that `export observations` wrote has an additional member `sextant`, the origin of the report, which decides
// whether it is trusted. It is honoured here, in a file that the operator imports, and nowhere else.

import type { ReportDraft } from '../../intake/draft.ts';
import { readItem } from '../../intake/geosubmit.ts';
import { numberOf, readTime } from '../../radio/read_value.ts';
import type { Refusal } from '../files/refused_lines.ts';
import type { TextFile } from '../files/text_file.ts';
import type { ExportedOrigin, FoundDraft, Refuse } from './found_draft.ts';
import { JsonDocument, type JsonItem } from './json_document.ts';
import { stated } from './row_table.ts';
import { isWigleResult, readWigleResult } from './wigle_api.ts';

/** Longest line: it may be a body of a thousand items and more. */
const LINE_BYTES_MAX = 64 * 1_048_576;
const ACCOUNT_MAX = 1_048_575;
/**
 * A time that is stated but cannot be read is not that of the import. A report that states none is, as over HTTP: some
 * collections keep no times.
 */
const UNREADABLE_TIME: Refusal = { rule: 'time', why: 'its time cannot be read' };

const NO_OBJECT: Refusal = { rule: 'json', why: 'there is no JSON object in the file' };
/** Lists of nothing. */
const IS_EMPTY = /^(?:[[\]{},:\s]|"(?:items|results)")*$/;

type Members = { readonly [member: string]: unknown };

/** An entry, and its time as it stands there; undefined or null = it states none. */
type Entry = readonly [entry: Omit<FoundDraft, 'file' | 'line'> | Refusal, time: unknown];

/**
 * Reads a file of JSON, some drafts at a time.
 * @throws Error when the file cannot be read to its end
 */
export async function* readJson(file: TextFile, refuse: Refuse): AsyncGenerator<FoundDraft[]> {
  const start = file.head.toString('utf8').trimStart();
  const document = isDocument(start) ? new JsonDocument(file.name) : undefined;
  let items = 0;
  for await (const { firstLine, lines } of file.blocks(LINE_BYTES_MAX)) {
    const found: FoundDraft[] = [];
    for (const [i, text] of lines.entries()) {
      const line = firstLine + i;
      const taken = document?.take(text, line) ?? (text.trim() === '' ? [] : [{ text, line }]);
      for (const item of taken) readItemText(file.name, item, found, refuse);
      items += taken.length;
    }
    yield found;
  }
  document?.finish();
  if (items === 0 && !IS_EMPTY.test(start)) refuse(file.name, 1, NO_OBJECT);
}

/** Whether the first line shows that the values are not one a line. @param start of the file */
function isDocument(start: string): boolean {
  return start.startsWith('[') || /[[{,:]\s*$/.test(start.split('\n', 1)[0]);
}

function readItemText(file: string, { text, line }: JsonItem, found: FoundDraft[], refuse: Refuse): void {
  const value = parseObject(text);
  if (value === undefined) {
    refuse(file, line, { rule: 'json', why: 'the line is not a JSON object' });
    return;
  }
  const list = value.items ?? value.results;
  for (const [entry, time] of (Array.isArray(list) ? list : [value]).flatMap(readEntries)) {
    if ('why' in entry) refuse(file, line, entry);
    else if (entry.draft.timeMs === undefined && time !== undefined && time !== null)
      refuse(file, line, UNREADABLE_TIME);
    else found.push({ ...entry, file, line });
  }
}

function readEntries(item: unknown): Entry[] {
  const members = objectOf(item) ?? {};
  if (isScanLine(members)) return [[readScanLine(members), members.t]];
  if (isWigleResult(members)) return readWigleResult(members).map(({ draft, time }) => [{ draft }, time]);
  return [[readSubmitted(item), members.timestamp ?? members.time]];
}

function parseObject(text: string): Members | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

function readSubmitted(item: unknown): { draft: ReportDraft; exported?: ExportedOrigin } | Refusal {
  const draft = readItem(item);
  const { sextant, timestamp } = objectOf(item) ?? {};
  if (sextant === undefined) return { draft };
  const exported = readExported(sextant);
  if (exported === undefined) return { rule: 'sextant', why: 'the member sextant is not as an export writes it' };
  if (!Number.isFinite(timestamp)) return { rule: 'sextant', why: 'the line of an export has no timestamp' };
  // Milliseconds are taken as they are: the reader of submissions takes small numbers for seconds.
  return { draft: { ...draft, timeMs: timestamp as number }, exported };
}

function readExported(value: unknown): ExportedOrigin | undefined {
  const { contributor, trusted, track, timed } = objectOf(value) ?? {};
  const isWhole = (number: unknown, most: number): number is number =>
    Number.isInteger(number) && (number as number) >= 0 && (number as number) <= most;
  if (!isWhole(contributor, ACCOUNT_MAX) || !isWhole(track, Number.MAX_SAFE_INTEGER)) return undefined;
  if (typeof trusted !== 'boolean' || typeof timed !== 'boolean') return undefined;
  return { contributor, trusted, track, timed };
}

// Scan lines: our own plain format for measurements with known positions, one JSON object a line.
//
//   {"g":"walk-7","t":1765182241000,"lat":50.8222,"lon":4.38926,"acc":3,
//    "cells":[{"radio":"lte","mcc":206,"mnc":1,"lac":2124,"cid":102764173,"psc":435,"rss":-78,"ta":1,"s":1}],
//    "aps":[["c0:ac:54:f5:7b:a7",-86,11]]}
//
// `lat` and `lon` and one of the lists are needed; anything else may be null. `g` names the track, `dev` the device
// where it has several tracks, `t` is seconds or milliseconds since 1970, `acc` metres, `floor` the index of the floor.
// Of a cell `rss` is dBm, `s` 1 for the serving one. An access point is [address, dBm, channel or MHz, age in ms].

/** Channel numbers end below, frequencies in MHz begin above. */
const CHANNEL_MAX = 1000;

/** Whether an object is a scan line, right or wrong, and not an item of a submission. */
function isScanLine(value: Members): boolean {
  return Array.isArray(value.cells) || Array.isArray(value.aps);
}

/** Reads one scan line. */
function readScanLine(value: Members): { draft: ReportDraft; device?: string } | Refusal {
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
