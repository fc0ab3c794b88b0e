// Locates a report by its stations as they were before its track began, as a query would be located without the fix.

import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { Fusion } from '../../core/fusion.ts';
import { coreOfThread } from '../../core/instantiate.ts';
import { SelectedStations } from '../../core/selected_stations.ts';
import { type Estimate, kindOfGroup } from '../../positioning/estimates/estimate.ts';
import { accuracyMetres } from '../../positioning/estimates/fuse.ts';
import { estimateByAll } from '../../positioning/strategies.ts';
import { Selection } from '../../positioning/transmitters/selection.ts';
import { isCell, KIND_BEACON, KIND_BLUETOOTH, KIND_WIFI } from '../../radio/kind.ts';
import { OBSERVATION_BYTES } from '../../radio/query/layout.ts';
import { QueryMemory } from '../../radio/query/memory.ts';
import { QueryReader } from '../../radio/query/reader.ts';
import { StoredObservations } from '../../radio/query/stored.ts';
import { QueryWriter, queryBytes } from '../../radio/query/writer.ts';
import type { StationBefore } from '../../tables/calibration/tracks.ts';
import { FoundStations, packAbsent, packStation } from '../../tables/stations/packed_station.ts';
import { RadioMap } from '../../tables/stations/radio_map.ts';
import { stationView } from '../../tables/stations/station.ts';

/**
 * Stations as they were. Cells without an identity, and sites, are not searched: a search would see tables of another
 * moment.
 */
class EarlierStations extends FoundStations {
  private stations: readonly (StationBefore | undefined)[] = [];
  private mapRead: Uint8Array | undefined;
  private readonly map = new RadioMap();

  set(query: QueryReader, stations: readonly (StationBefore | undefined)[]): void {
    this.stations = stations;
    if (this.payload.length < stations.length * PAYLOAD_WORDS)
      this.payload = new Int32Array(stations.length * PAYLOAD_WORDS * 2);
    for (let i = 0; i < stations.length; i++) {
      const record = stations[i]?.record;
      if (record === undefined) packAbsent(this.payload, i * PAYLOAD_WORDS);
      else packStation(query.memory.u8, query.at(i), stationView(record), this.payload, i * PAYLOAD_WORDS);
    }
  }

  override radioMap(_query: QueryReader, i: number): RadioMap | undefined {
    const learned = this.stations[i]?.learned;
    if (learned === undefined) return undefined;
    if (learned !== this.mapRead) {
      this.mapRead = undefined;
      this.map.read(learned, learned.length);
      this.mapRead = learned;
    }
    return this.map;
  }

  override radioMapOf(): undefined {
    return undefined;
  }

  override findByCode(): number {
    return 0;
  }

  override siteOf(): undefined {
    return undefined;
  }
}

/** An estimate, the kind of station that it rests on, and its radii for 50, 68 and 95 % before any calibration. */
export interface Tested {
  estimate: Estimate;
  kind: number;
  radii: readonly number[];
}

/** Locates reports, one after the other. */
export class ReportLocator {
  private readonly stations = new EarlierStations();
  private readonly selection = new Selection(new SelectedStations(coreOfThread()));
  private readonly fusion = new Fusion(coreOfThread());
  private memory = new QueryMemory(new ArrayBuffer(queryBytes(256)));
  private readonly query = new QueryReader(this.memory, 0);

  /**
   * The estimates by the stations that a report heard.
   * @param stations by observation, as they were
   */
  locate(stored: StoredObservations, known: readonly (StationBefore | undefined)[]): Tested[] {
    const { observations, stations } = asAsked(stored, known);
    const bytes = queryBytes(observations.count);
    if (this.memory.buffer.byteLength < bytes) this.memory = new QueryMemory(new ArrayBuffer(2 * bytes));
    let wifi = 0;
    let cells = 0;
    for (let i = 0; i < observations.count; i++) {
      const kind = observations.kind(i);
      if (kind === KIND_WIFI) wifi++;
      else if (isCell(kind)) cells++;
    }
    const writer = new QueryWriter(this.memory);
    writer.begin(0);
    writer.addStored(observations.bytes, wifi, observations.count - wifi - cells, cells);
    writer.setSubmittedRadios(wifi);
    writer.end();
    const { query, selection } = this;
    query.open(this.memory, 0);
    this.stations.set(query, stations);
    return estimateByAll({ query, stations: this.stations, selection }).map(estimate => this.tested(estimate));
  }

  private tested(estimate: Estimate): Tested {
    const r50Metres = accuracyMetres(this.fusion, estimate);
    const { at68, at95 } = estimate.tail;
    return { estimate, kind: kindOfGroup(estimate.group), radii: [r50Metres, r50Metres * at68, r50Metres * at95] };
  }
}

/**
 * What a request would have sent. A report has an iBeacon under both of its identities (src/intake/screen_stations.ts),
 * a request under one; with two, an estimate would be more certain than an answer is. Which addresses are those of
 * iBeacons is not stored, since many share one iBeacon's identity: beside iBeacons no address takes part.
 */
function asAsked(
  observations: StoredObservations,
  stations: readonly (StationBefore | undefined)[],
): { observations: StoredObservations; stations: readonly (StationBefore | undefined)[] } {
  const asked: number[] = [];
  let iBeacons = 0;
  for (let i = 0; i < observations.count; i++) {
    const kind = observations.kind(i);
    if (kind === KIND_BEACON) iBeacons++;
    if (kind !== KIND_BLUETOOTH) asked.push(i);
  }
  if (iBeacons === 0 || asked.length === observations.count) return { observations, stations };
  const bytes = new Uint8Array(asked.length * OBSERVATION_BYTES);
  for (const [to, i] of asked.entries())
    bytes.set(observations.bytes.subarray(observations.at(i), observations.at(i + 1)), to * OBSERVATION_BYTES);
  return { observations: new StoredObservations(bytes), stations: asked.map(i => stations[i]) };
}
