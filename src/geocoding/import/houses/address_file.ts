// The addresses of one source as the data folder keeps them: features without an object of OpenStreetMap, with the tags
// that the map would have (`addr:housenumber`, `addr:street` …). They are written once, and read whenever places are
// built.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { unitsOf } from '../../../geo/units.ts';
import { OSM_NONE } from '../../../tables/places/place.ts';
import { FeatureFile } from '../osm/feature_file.ts';
import type { OsmFeature, Tags } from '../osm/features.ts';

/** A file of addresses, and of whom it is. */
export interface AddressSource {
  /** Of the source. */
  name: string;
  path: string;
  /** CRC-32 of the file. */
  checksum: number;
  /** It holds postcodes without houses. */
  isPostcodes: boolean;
  /** Addresses in it. */
  count: number;
}

/** An address or postcode to be kept. Absent texts are empty. */
export interface GivenAddress {
  number: string;
  street: string;
  city: string;
  postcode: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

const POINT = { kind: 'point' } as const;
const READ_BYTES = 1_048_576;

/** Writes a file of addresses. */
export class AddressWriter {
  count = 0;
  private readonly bytes: StoredBytes;
  private readonly features: FeatureFile;

  /** @param path of a new file */
  constructor(path: string) {
    this.bytes = new StoredBytes(path, 'wx');
    this.features = new FeatureFile(this.bytes);
  }

  add(address: GivenAddress): void {
    const { latitude, longitude } = address;
    const at = { longitude: unitsOf(longitude), latitude: unitsOf(latitude), geometry: POINT, nodeIds: undefined };
    this.features.write({ type: OSM_NONE, id: 0, version: 0, tags: tagsOf(address), ...at });
    this.count++;
  }

  /** @returns the checksum */
  finish(): number {
    this.features.finish();
    return this.bytes.checksum;
  }

  close(): void {
    this.bytes.close();
  }
}

/** Where there is no street, the number counts in the town. */
function tagsOf({ number, street, city, postcode }: GivenAddress): Tags {
  const tags: Record<string, string> = {};
  if (number !== '') tags['addr:housenumber'] = number;
  if (street !== '') tags['addr:street'] = street;
  else if (number !== '') tags['addr:place'] = city;
  if (city !== '') tags['addr:city'] = city;
  if (postcode !== '') tags['addr:postcode'] = postcode;
  return tags;
}

/** Reads all addresses from the first; each is used before the next one. @throws Error when the file is damaged */
export function* readAddressFile({
  name,
  path,
  checksum,
}: Omit<AddressSource, 'isPostcodes' | 'count'>): Generator<OsmFeature> {
  const bytes = new StoredBytes(path, 'r');
  try {
    if (bytes.checksumOfAll() !== checksum)
      throw new Error(`The addresses of "${name}" in ${path} are damaged; import them again.`);
    for (const { feature } of new FeatureFile(bytes).read(true)) yield feature;
  } finally {
    bytes.close();
  }
}

/** True if a file is as it was written. */
export function isAddressFileSound(path: string, checksum: number): boolean {
  const bytes = new StoredBytes(path, 'r');
  try {
    return bytes.checksumOfAll() === checksum;
  } finally {
    bytes.close();
  }
}

/** A file that stays. */
class StoredBytes {
  checksum = 0;
  private readonly file: number;

  constructor(path: string, flags: 'wx' | 'r') {
    this.file = openSync(path, flags, 0o600);
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done, bytes.length - done);
    this.checksum = crc32(bytes, this.checksum);
  }

  read(into: Uint8Array, position: number): number {
    return readSync(this.file, into, 0, into.length, position);
  }

  /** Reads all once. */
  checksumOfAll(): number {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let sum = 0;
    for (let at = 0, got = -1; got !== 0; at += got) {
      got = this.read(buffer, at);
      sum = crc32(buffer.subarray(0, got), sum);
    }
    return sum;
  }

  close(): void {
    closeSync(this.file);
  }
}
