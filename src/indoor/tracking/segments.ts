// Segments of floor plans: four numbers each, east and north of both ends, in metres.

/** Distance of a point from the segment that begins at `i`. */
export function distanceTo(segments: ArrayLike<number>, i: number, x: number, y: number): number {
  const alongX = segments[i + 2] - segments[i];
  const alongY = segments[i + 3] - segments[i + 1];
  const square = alongX * alongX + alongY * alongY;
  const along = ((x - segments[i]) * alongX + (y - segments[i + 1]) * alongY) / square;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, along));
  const dx = segments[i] + share * alongX - x;
  const dy = segments[i + 1] + share * alongY - y;
  return Math.sqrt(dx * dx + dy * dy);
}
