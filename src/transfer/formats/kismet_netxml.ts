// Reads netxml of Kismet up to 2016, and of other tools that write the like: each network with where and how well it
// was heard best (peak-lat, max_signal_dbm), and where it was on average. A network becomes one report: where it was
// heard best, or, without a level, where it was on average.
//
// Source: kismetwireless/kismet, dumpfile_netxml.cc (kismet-3.1.0.dtd). It writes times without a zone.

import sax, { type SAXParser } from 'sax';
import type { ReportDraft } from '../../intake/draft.ts';
import { numberOf } from '../../radio/read_value.ts';
import { isOptedOut } from '../../radio/wifi.ts';
import { readFileTime } from '../files/file_time.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { piecesOf, type TextFile } from '../files/text_file.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { stated } from './row_table.ts';

/** Begins the content, after declarations. */
export const NETXML_MARK = '<detection-run';

const NETWORK = 'wireless-network';
const CLIENT = 'wireless-client';
/** Networks of which a device is heard that stays where it is. */
const ACCESS_POINT_TYPES = ['infrastructure', 'ad-hoc'];
const TEXT_CHARACTERS_MAX = 1024;
/** Of elements of one name; a network has some names over time. */
const TEXTS_MAX = 32;
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** A network while it is read: its line, its attributes, and the texts of its elements that are not a client's. */
interface Network {
  line: number;
  attributes: Record<string, string>;
  texts: Map<string, string[]>;
}

/**
 * Reads a file as drafts, some at a time.
 * @throws Error when the file cannot be read to its end
 */
export async function* readNetxml(file: TextFile, refuse: Refuse): AsyncGenerator<FoundDraft[]> {
  let found: FoundDraft[] = [];
  const networks = new NetworkReader(network => {
    const draft = draftOf(network);
    if ('why' in draft) refuse(file.name, network.line, draft);
    else found.push({ draft, file: file.name, line: network.line });
  });
  for await (const { lines } of file.blocks(LINE_BYTES_MAX))
    for (const piece of piecesOf(lines)) {
      networks.write(piece);
      yield found;
      found = [];
    }
  networks.finish(file.name);
}

class NetworkReader {
  private readonly sax: SAXParser = sax.parser(false, { lowercase: true });
  private readonly take: (network: Network) => void;
  /** Names of the elements that are open. */
  private readonly open: string[] = [];
  private network: Network | undefined;
  private text = '';
  private isClient = false;

  constructor(take: (network: Network) => void) {
    this.take = take;
    this.sax.onopentag = ({ name, attributes }) => {
      this.open.push(name);
      this.text = '';
      if (name === NETWORK)
        this.network = { line: this.sax.line + 1, attributes: attributes as Record<string, string>, texts: new Map() };
      if (name === CLIENT) this.isClient = true;
    };
    this.sax.ontext = text => {
      if (this.text.length < TEXT_CHARACTERS_MAX) this.text += text.slice(0, TEXT_CHARACTERS_MAX);
    };
    this.sax.oncdata = this.sax.ontext;
    this.sax.onclosetag = name => {
      this.keep(name);
      this.open.pop();
      if (name === CLIENT) this.isClient = false;
      if (name === NETWORK && this.network !== undefined) {
        this.take(this.network);
        this.network = undefined;
      }
    };
    // What is wrong in the markup stays text: names of networks hold anything.
    this.sax.onerror = () => {
      this.sax.resume();
    };
  }

  write(text: string): void {
    this.sax.write(text);
  }

  /** @throws Error when elements are open */
  finish(name: string): void {
    const element = this.open.at(-1);
    if (element !== undefined)
      throw new Error(`${name} ends within the element <${element}> on line ${this.sax.line.toLocaleString('en')}.`);
  }

  /** Keeps the text of an element that ends. */
  private keep(name: string): void {
    const text = this.text.trim();
    this.text = '';
    if (this.network === undefined || this.isClient || text === '') return;
    const { texts } = this.network;
    const known = texts.get(name) ?? [];
    if (known.length < TEXTS_MAX) texts.set(name, [...known, text]);
  }
}

function draftOf({ attributes, texts }: Network): ReportDraft | Refusal {
  const { type } = attributes;
  if (!ACCESS_POINT_TYPES.includes(type))
    return { rule: 'type', why: `a network of the type "${type}" is no access point` };
  const number = (name: string) => numberOf(texts.get(name)?.[0]);
  const level = number('max_signal_dbm');
  const isBest = level < 0 && number('peak-lat') !== 0 && !Number.isNaN(number('peak-lat'));
  const [latitude, longitude, altitude] = ['lat', 'lon', 'alt'].map(name =>
    number(`${isBest ? 'peak' : 'avg'}-${name}`),
  );
  if (Number.isNaN(latitude)) return { rule: 'position', why: 'the network has no position' };
  const time = attributes['last-time'];
  const timeMs = readFileTime(time, 'day');
  if (Number.isNaN(timeMs))
    return { rule: 'time', why: time === undefined ? 'it states no time' : `"${time}" is no time` };
  const numbers = {
    signalStrength: isBest ? level : Number.NaN,
    channel: number('channel'),
    frequency: Number.parseInt(texts.get('freqmhz')?.[0] ?? '', 10),
  };
  const names = texts.get('essid') ?? [];
  const ssid = names.find(name => isOptedOut(name, undefined)) ?? names[0];
  const entry = { macAddress: texts.get('bssid')?.[0], ...(ssid && { ssid }), ...stated(numbers) };
  return { timeMs, latitude, longitude, ...stated({ altitude }), wifiAccessPoints: [entry] };
}
