// Reads the bytes of a positioning body: by a scan of the core, straight into observations, or as JSON where the scan
// declines. Both give the same query; the scan takes a third of the time.

import { BodyScanner } from '../../core/body_scanner.ts';
import type { QueryWriter } from '../../radio/query/writer.ts';
import { numberOf } from '../../radio/read_value.ts';
import { parseChecked } from './body.ts';
import type { PositionBody } from './schema.ts';

const NOTHING: PositionBody = Object.freeze({});

/** Parses the positioning bodies of one thread. */
export class PositionParser {
  private readonly scanner = new BodyScanner();

  /**
   * Parses a body.
   * @param bytes must stay as they are until the request is answered
   * @returns a ScannedBody, or the value of the JSON
   * @throws ApiError parseError, as `parseChecked`
   */
  parse(bytes: Buffer): unknown {
    return this.scan(bytes) ?? parseChecked(bytes);
  }

  /** Scans a body. @returns undefined if it must be parsed as JSON */
  scan(bytes: Buffer): ScannedBody | undefined {
    const { scanner } = this;
    if (!scanner.scan(bytes)) return undefined;
    const rest: PositionBody = scanner.isRestEmpty ? NOTHING : JSON.parse(scanner.rest);
    // What may contribute is stored as it was sent, so all of it is needed.
    if (mayContribute(rest)) return undefined;
    return new ScannedBody(scanner, bytes, rest);
  }
}

/** True if a request may contribute: its fix was made now. */
export function mayContribute(body: PositionBody): boolean {
  return numberOf(body.gps?.age) === 0;
}

/** A scanned body. It is JSON, its lists are lists, and it cannot contribute. */
export class ScannedBody {
  /** Members other than the lists of stations and `radioType`, as sent; members that mean nothing are left out. */
  readonly rest: PositionBody;
  readonly accessPoints: number;
  readonly beacons: number;
  /** Number of all observations. */
  readonly observations: number;
  private readonly scanner: BodyScanner;
  private readonly bytes: Buffer;
  private scan: number;

  /** @param scanner has just scanned these bytes */
  constructor(scanner: BodyScanner, bytes: Buffer, rest: PositionBody) {
    this.scanner = scanner;
    this.bytes = bytes;
    this.rest = rest;
    this.scan = scanner.scans;
    this.accessPoints = scanner.wifi;
    this.beacons = scanner.bluetooth;
    this.observations = scanner.wifi + scanner.bluetooth + scanner.cells;
  }

  /** The body as JSON.parse reads it. */
  parsed(): PositionBody {
    return parseChecked(this.bytes) as PositionBody;
  }

  /** Appends the observations to a query. If another body has been scanned meanwhile, this one is scanned again. */
  writeObservations(writer: QueryWriter): void {
    const { scanner } = this;
    if (scanner.scans !== this.scan) {
      scanner.scan(this.bytes);
      this.scan = scanner.scans;
    }
    writer.addAll(scanner.memory, scanner.observationsAt, scanner.wifi, scanner.bluetooth, scanner.cells);
  }
}
