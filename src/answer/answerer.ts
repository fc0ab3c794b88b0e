// Answers the queries of one thread: where the device is, and on request the town, the address or the building there.
// HTTP threads and workers use the same code.

import type { CacheMemory } from '../core/cache_memory.ts';
import type { AnswerPart, PartFix } from '../feature.ts';
import { FEATURES } from '../features.ts';
import { Geocoder, type Prepared } from '../geocoding/geocoder.ts';
import { shareWithin } from '../positioning/estimates/estimate.ts';
import type { PositionRecorder } from '../positioning/estimates/recorder.ts';
import { Locator } from '../positioning/locate.ts';
import { type FoundPosition, isFound, readFound, wantsTexts, writeTexts } from '../radio/query/answer.ts';
import { WANTS_ADDRESS, WANTS_GEONAME, WANTS_INDOOR, WANTS_OUTDOORS } from '../radio/query/layout.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';
import { queryBytes } from '../radio/query/writer.ts';
import type { LayerShareState } from '../tables/places/layer_share.ts';
import { prepareHomeCountries } from '../tables/stations/home_country.ts';
import type { Learned } from '../tables/stations/learned_record.ts';
import type { RoadsAround } from '../tracking/outdoor/follow_outdoors.ts';
import { followFix, pastOf } from './follow_fix.ts';

/** Names are in the local language: a positioning request names no other. */
const LANGUAGES: readonly string[] = [];

/** What an answerer reads. */
interface Opened {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: CacheMemory;
  /** Says when tables of features have changed. */
  revision: SharedArrayBuffer;
  /** Leads to the layers of places. */
  layers: LayerShareState;
}

/** Answers the queries of one thread. */
export class Answerer {
  /** The geocoder of this thread. */
  readonly geocoder: Geocoder;
  private readonly locator: Locator;
  /** Of features, in their order. */
  private readonly parts: readonly AnswerPart[];
  private readonly roads: RoadsAround = (...around) => this.geocoder.roadsAround(...around);
  private readonly query = new QueryReader(new QueryMemory(new ArrayBuffer(queryBytes(0))), 0);

  /**
   * Opens the tables of a thread.
   * @param prepared what is read before the first question: borders and codes, and as for `Geocoder.open`
   * @throws Error when one cannot be used
   */
  static async open({ folder, cache, revision, layers }: Opened, prepared?: Prepared): Promise<Answerer> {
    if (prepared !== 'nothing') prepareHomeCountries();
    return new Answerer(folder, cache, await Geocoder.open(layers, prepared), await openParts(folder, revision));
  }

  /**
   * @param folder data folder
   * @param cache memory of the station cache
   * @param geocoder this thread's own; closed with the answerer
   * @param parts of features, likewise
   */
  constructor(folder: string, cache: CacheMemory, geocoder: Geocoder, parts: readonly AnswerPart[]) {
    this.locator = new Locator(folder, cache);
    this.geocoder = geocoder;
    this.parts = parts;
  }

  /**
   * Answers the query at `offset` of `memory`. The answer goes into the query's own struct and its room for text.
   * @param recorder for an explanation
   * @throws Error when a table is damaged
   */
  answer(memory: QueryMemory, offset: number, recorder?: PositionRecorder): void {
    this.query.open(memory, offset);
    if (!this.locator.lookUp(memory, offset, recorder)) return;
    const fix = this.locateInParts(recorder);
    recorder?.stage('building');
    const past = (this.query.flags & WANTS_OUTDOORS) === 0 ? undefined : pastOf(memory, offset);
    const isOfPart = this.locator.locate(fix?.estimate, past, recorder);
    if (!isOfPart && past !== undefined && isFound(memory, offset))
      followFix(memory, offset, past, this.roads, recorder);
    recorder?.stage('track');
    if (wantsTexts(memory, offset) && isFound(memory, offset))
      this.describe(memory, offset, isOfPart ? fix : undefined);
    recorder?.stage('description');
  }

  /** What is learned of a station. @param key cut to its length @throws Error when the record is damaged */
  learned(key: Buffer): Learned | undefined {
    return this.locator.learned(key);
  }

  /** Ends the read transactions. Must be called before the thread waits. */
  release(): void {
    this.locator.release();
    this.geocoder.release();
    for (const part of this.parts) part.release();
  }

  async close(): Promise<void> {
    await this.locator.close();
    await this.geocoder.close();
    for (const part of this.parts) await part.close();
  }

  /** Where the first feature that knows the surroundings has the device. */
  private locateInParts(recorder: PositionRecorder | undefined): PartFix | undefined {
    for (const part of this.parts) {
      const fix = part.locate(this.locator.heard, recorder);
      if (fix !== undefined) return fix;
    }
    return undefined;
  }

  /** @param fix undefined where the position does not rest on that of a feature */
  private describe(memory: QueryMemory, offset: number, fix: PartFix | undefined): void {
    const wants = this.query.flags;
    const found = readFound(memory, offset);
    const place =
      wants & (WANTS_GEONAME | WANTS_ADDRESS) ? this.geocoder.at(found.latitude, found.longitude) : undefined;
    const geoname = wants & WANTS_GEONAME ? place?.geonameText() : undefined;
    const address = wants & WANTS_ADDRESS ? place?.addressText(LANGUAGES) : undefined;
    const indoor = wants & WANTS_INDOOR ? this.indoor(found, fix) : undefined;
    writeTexts(memory, offset, {
      geoname,
      address,
      indoor: indoor && JSON.stringify(indoor),
    });
  }

  private indoor(found: FoundPosition, fix: PartFix | undefined): object | undefined {
    const share = (metres: number): number => shareWithin(metres / found.accuracyMetres, found);
    for (const part of this.parts) {
      const text = part.describe(found.latitude, found.longitude, share, fix);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** Opens what features have part in answers. @throws Error when it cannot be used */
async function openParts(folder: string, revision: SharedArrayBuffer): Promise<AnswerPart[]> {
  const parts = FEATURES.map(({ loadAnswers }) => loadAnswers());
  return (await Promise.all(parts)).map(Part => new Part(folder, revision));
}
