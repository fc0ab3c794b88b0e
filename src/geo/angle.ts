/** Brings a longitude or a difference of longitudes into -180..180 degrees. The input lies within one turn of that. */
export function wrapDegrees(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}
