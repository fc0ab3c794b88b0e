// Maps drawn for one test in degrees, with nodes that ways share, imported as an extract and opened as a service has it.

import { join } from 'node:path';
import type { Geocoder } from '../../../src/geocoding/geocoder.ts';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import type { Tags } from '../../../src/geocoding/import/osm/features.ts';
import { freeTextQuestion, type SearchQuestion } from '../../../src/geocoding/search/question.ts';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { withGeocoder } from './layers.ts';
import { type DrawnObject, writeOsmPbf } from './osm_pbf.ts';

/** Latitude and longitude, degrees. */
type LatLon = readonly [latitude: number, longitude: number];

/** A map that is drawn object by object. */
export class DrawnMap {
  private readonly nodes: DrawnObject[] = [];
  private readonly ways: DrawnObject[] = [];
  private readonly relations: DrawnObject[] = [];
  private readonly nodeAt = new Map<string, number>();

  /** @returns its id */
  node([lat, lon]: LatLon, tags: Tags = {}): number {
    const id = this.nodes.length + 1;
    this.nodes.push({ type: 'node', id, lat, lon, tags });
    return id;
  }

  /** A line; ways that go through the same point share its node. @returns its id */
  way(points: readonly LatLon[], tags: Tags = {}): number {
    const nodes = points.map(point => {
      const key = point.join();
      const id = this.nodeAt.get(key) ?? this.node(point);
      this.nodeAt.set(key, id);
      return id;
    });
    const id = this.ways.length + 1;
    this.ways.push({ type: 'way', id, nodes, tags });
    return id;
  }

  /** A closed way along parallels and meridians. @returns its id */
  rectangle(south: number, north: number, west: number, east: number, tags: Tags = {}): number {
    const corner = [south, west] as const;
    return this.way([corner, [south, east], [north, east], [north, west], corner], tags);
  }

  /** An area of several ways. */
  relation(ways: readonly number[], tags: Tags): void {
    const members = ways.map(ref => ({ type: 'way' as const, ref, role: 'outer' }));
    this.relations.push({
      type: 'relation',
      id: this.relations.length + 1,
      members,
      tags: { type: 'multipolygon', ...tags },
    });
  }

  /** A square administrative boundary. @param half half its side, degrees */
  boundary(level: number, [lat, lon]: LatLon, half: number, tags: Tags): void {
    const outline = this.rectangle(lat - half, lat + half, lon - half, lon + half);
    this.relation([outline], { boundary: 'administrative', admin_level: String(level), ...tags });
  }

  /** Writes it as an extract. @returns the path */
  write(path: string): string {
    writeOsmPbf(path, [...this.nodes, ...this.ways, ...this.relations]);
    return path;
  }

  /** Imports it. @param folder an empty folder that the caller removes @returns the folder of the layer */
  async importInto(folder: string): Promise<string> {
    const file = this.write(join(folder, 'drawn.osm.pbf'));
    await importExtracts({ folder, files: [file], onProgress: () => {} });
    return currentLayer(placesFolder(folder))!;
  }
}

/** The address of each answer to a search in one extract. @param extract folder of its layer */
export function searched(extract: string, text: string, more: Partial<SearchQuestion> = {}): Promise<string[]> {
  return withGeocoder({ extract }, geocoder =>
    geocoder.search(freeTextQuestion(text, more)).map(({ displayName }) => displayName),
  );
}

/** Asks the geocoder of one extract. @param extract folder of its layer */
export function inExtract<T>(extract: string, ask: (geocoder: Geocoder) => T): Promise<T> {
  return withGeocoder({ extract }, ask);
}
