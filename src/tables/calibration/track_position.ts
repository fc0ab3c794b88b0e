// The row of a device: where it was at its last report, with which the next one is compared.

/** Where a device was at its last report. */
export interface TrackPosition {
  /** Milliseconds since 1970. */
  timeMs: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  accuracyMetres: number;
  /** Number of the report in the log. */
  sequence: number;
}

/** Bytes of a device's row in `tracks`. */
export const TRACK_BYTES = 36;

/** Encodes a device's row. */
export function encodeTrack(position: TrackPosition): Buffer {
  const bytes = Buffer.alloc(TRACK_BYTES);
  bytes.writeDoubleLE(position.timeMs, 0);
  bytes.writeDoubleLE(position.latitude, 8);
  bytes.writeDoubleLE(position.longitude, 16);
  bytes.writeFloatLE(position.accuracyMetres, 24);
  bytes.writeDoubleLE(position.sequence, 28);
  return bytes;
}

/** Decodes a device's row. @throws Error when it is damaged */
export function decodeTrack(bytes: Buffer): TrackPosition {
  if (bytes.length !== TRACK_BYTES)
    throw new Error(`The row of a device is damaged: it has ${bytes.length} bytes instead of ${TRACK_BYTES}.`);
  const track: TrackPosition = {
    timeMs: bytes.readDoubleLE(0),
    latitude: bytes.readDoubleLE(8),
    longitude: bytes.readDoubleLE(16),
    accuracyMetres: bytes.readFloatLE(24),
    sequence: bytes.readDoubleLE(28),
  };
  const fault = faultOfTrack(track);
  if (fault !== undefined) throw new Error(`The row of a device is damaged: ${fault}.`);
  return track;
}

function faultOfTrack({ timeMs, latitude, longitude, accuracyMetres, sequence }: TrackPosition): string | undefined {
  if (!Number.isFinite(timeMs)) return `its time is ${timeMs}`;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    return `its position ${latitude}, ${longitude} is not on the globe`;
  if (!(accuracyMetres >= 0 && Number.isFinite(accuracyMetres))) return `its accuracy is ${accuracyMetres}`;
  return Number.isSafeInteger(sequence) && sequence > 0 ? undefined : `the number ${sequence} of its report is none`;
}
