// The body that answers a request for a position.

import { radiusFactor } from '../../positioning/estimates/estimate.ts';
import { fallbackName } from '../../radio/fallbacks.ts';
import type { FoundPosition, PlaceTexts } from '../../radio/query/answer.ts';
import type { GpsFix } from '../requests/gps.ts';
import { degreesText } from './degrees.ts';

/** Further members of the answer; undefined if not requested or not known. */
interface PositionExtras {
  /** Percentage of true positions that the radius should hold, 50..99. */
  confidence: number;
  /** The fix that the device sent. */
  gps: GpsFix | undefined;
  /** m/s since the last location. */
  speed: number | undefined;
  /** Credits left on a prepaid key. */
  credits: number | undefined;
  /** Last day of the key. */
  expires: string | undefined;
  /** State token for the device to send back. */
  state: string | undefined;
  /** How the answer came about, as JSON. */
  explanation: string | undefined;
  logId: number;
}

/** The JSON text of a position. @param texts that are paid for */
export function positionText(
  found: FoundPosition,
  { geoname, address, indoor }: PlaceTexts,
  extras: PositionExtras,
): string {
  const { gps, speed, credits, expires, state, explanation } = extras;
  const fallback = fallbackName(found.fallback);
  const radiusMetres = found.accuracyMetres * radiusFactor(extras.confidence, found);
  let text = `{"location":{"lat":${degreesText(found.latitude)},"lng":${degreesText(found.longitude)}},"accuracy":${Math.max(1, Math.round(radiusMetres))}`;
  if (gps?.heading !== undefined) text += `,"heading":${gps.heading}`;
  if (gps?.altitude !== undefined) text += `,"altitude":${gps.altitude}`;
  if (gps?.speed !== undefined) text += `,"speed":${gps.speed}`;
  if (speed !== undefined) text += `,"calculatedSpeed":${Math.round(speed)}`;
  if (geoname !== undefined) text += `,"geoname":${geoname}`;
  if (indoor !== undefined) text += `,"indoor":${indoor}`;
  if (address !== undefined) text += `,"address":${address}`;
  if (fallback !== undefined) text += `,"fallback":"${fallback}"`;
  if (credits !== undefined) text += `,"credits":${credits}`;
  if (expires !== undefined) text += `,"expires":"${expires}"`;
  if (state !== undefined) text += `,"state":"${state}"`;
  if (explanation !== undefined) text += `,"explain":${explanation}`;
  return `${text},"logId":${extras.logId}}`;
}
