// Where a client is by its address: the fallback `ipf`, for which the operator gives a database in MaxMind's form
// (`--geoip`). It knows a country, mostly a point, and sometimes a radius. The main thread reads the file, and all HTTP
// threads look into the same memory.

import { isIP, isIPv6 } from 'node:net';
import { Reader } from 'mmdb-lib';
import { readRegularFile } from '../../config/regular_file.ts';
import { peopleOf } from '../../geo/country_people.ts';
import type { FoundPosition } from '../../radio/query/answer.ts';
import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';

/** What a database knows of an address. */
export interface AddressPlace {
  /** ISO 3166-1 alpha-2; undefined if it is not known. */
  country: string | undefined;
  position: Pick<FoundPosition, 'latitude' | 'longitude' | 'accuracyMetres' | 'at68' | 'at95'> | undefined;
}

/** What is read of a record. It comes from a file, so that each value may be anything. */
interface PlaceRecord {
  country?: { iso_code?: unknown };
  location?: { latitude?: unknown; longitude?: unknown; accuracy_radius?: unknown };
}

/** The largest databases that are sold have some 500 MB. */
const FILE_BYTES_MAX = 2 ** 30;
/** Stands before the metadata at the end of the file. */
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const FORMAT_VERSION = 2;
/** Types of databases with places (GeoLite2-City, DBIP-Country-Lite); others know networks or names. */
const WITH_PLACES = /city|country|enterprise|insights|location/i;
/** Addresses that are looked up in a file before it is used: one in each network of eight bits. */
const TRIED = 256;

/**
 * MaxMind: "the radius where we have a 67% confidence that the device using the IP address resides within the circle".
 * Half of a Gaussian is within 0.79 of it. Farther out, the errors of such databases fall off more slowly than those of
 * a Gaussian: 95 % are taken to be within 2.7 of it, as in an exponential distribution.
 */
const R50_PER_R67 = Math.sqrt(Math.log(1 - 0.5) / Math.log(1 - 0.67));
const AT_68 = Math.sqrt(Math.log(1 - 0.68) / Math.log(1 - 0.5));
const AT_95 = Math.log(1 - 0.95) / Math.log(1 - 0.67) / R50_PER_R67;

/**
 * Reads a database into memory that threads can share.
 * @throws Error whose message names the file and what is wrong with it
 */
export function readAddressDatabase(file: string): Uint8Array {
  try {
    const bytes = readRegularFile(file, FILE_BYTES_MAX, size => Buffer.from(new SharedArrayBuffer(size)));
    tryOut(bytes);
    return bytes;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`The database ${file} of --geoip cannot be used: ${code ?? message}.`);
  }
}

/** @throws Error without a full stop when the bytes are no database with places, or are damaged */
function tryOut(bytes: Buffer): void {
  if (bytes.lastIndexOf(MARKER) < 0) throw new Error('it is no database in the form of MaxMind (.mmdb)');
  const reader = intact(() => new Reader(bytes));
  const { databaseType, binaryFormatMajorVersion: version } = reader.metadata;
  if (version !== FORMAT_VERSION) throw new Error(`it has version ${version} of that form, not ${FORMAT_VERSION}`);
  if (!WITH_PLACES.test(databaseType)) throw new Error(`its type is "${databaseType}", which knows no places`);
  for (let first = 0; first < TRIED; first++) intact(() => reader.get(`${first}.0.0.1`));
}

/** @throws Error that says what the library does not: that the file is damaged */
function intact<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`it is damaged (${(error as Error).message})`);
  }
}

/** Looks up addresses. Belongs to one thread. */
export class AddressDatabase {
  private readonly reader: Reader<never>;
  private readonly onError: (message: string) => void;
  private isDamaged = false;

  /** @param bytes from `readAddressDatabase` @param onError is told once if a record cannot be read */
  constructor(bytes: Uint8Array, onError: (message: string) => void) {
    this.reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    this.onError = onError;
  }

  /**
   * @param address of IPv4, also in its form of IPv6, or of IPv6
   * @returns undefined where nothing is known of it, as of addresses of private networks
   */
  find(address: string | undefined): AddressPlace | undefined {
    const plain = (address ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');
    if (isIP(plain) === 0 || plain.includes('%')) return undefined;
    if (isIPv6(plain) && this.reader.metadata.ipVersion === 4) return undefined;
    const record = this.recordOf(plain);
    return record && placeOf(record);
  }

  private recordOf(address: string): PlaceRecord | undefined {
    try {
      return (this.reader.get(address) as PlaceRecord | null) ?? undefined;
    } catch (error) {
      // The others may be sound, and so nothing is known of this one.
      if (!this.isDamaged) this.onError(`The database of --geoip is damaged: ${(error as Error).message}.`);
      this.isDamaged = true;
      return undefined;
    }
  }
}

function placeOf({ country, location }: PlaceRecord): AddressPlace {
  const code = typeof country?.iso_code === 'string' ? country.iso_code : undefined;
  const people = code === undefined ? undefined : peopleOf(code);
  const { latitude, longitude, accuracy_radius: radius } = location ?? {};
  const hasRadius = typeof radius === 'number' && radius > 0;
  const spread = hasRadius
    ? { accuracyMetres: radius * 1000 * R50_PER_R67, at68: AT_68, at95: AT_95 }
    : people && { accuracyMetres: people.accuracyMetres, at68: people.at68, at95: people.at95 };
  const isPoint = isIn(Number(latitude ?? Number.NaN), LATITUDE) && isIn(Number(longitude ?? Number.NaN), LONGITUDE);
  const point = isPoint ? { latitude: Number(latitude), longitude: Number(longitude) } : people;
  const isKnown = spread !== undefined && point !== undefined;
  return {
    country: code,
    position: isKnown ? { latitude: point.latitude, longitude: point.longitude, ...spread } : undefined,
  };
}
