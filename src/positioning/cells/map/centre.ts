// The point with most around it, as a Cauchy kernel weighs what is around: not the mean, which on a road through two
// valleys is on the hill between them.

/** Candidates in a frame. */
export interface Weighted {
  count: number;
  /** Metres. */
  east: Float64Array;
  north: Float64Array;
  /** Likelihoods; their sum is 1. */
  weight: Float64Array;
}

/** A point in a frame, metres. */
export interface Middle {
  east: number;
  north: number;
}

/** Candidates less likely than this are no start for the answer. */
const START_WEIGHT = 0.01;
const STEPS = 5;

/** The point where candidates are densest. @param kernelMetres width of the kernel */
export function centre({ count, east, north, weight }: Weighted, kernelMetres: number): Middle {
  const middle = { east: 0, north: 0 };
  const kernel2 = kernelMetres * kernelMetres;
  let best = 0;
  for (let start = 0; start < count; start++) {
    if (weight[start] < START_WEIGHT) continue;
    let density = 0;
    for (let c = 0; c < count; c++) {
      const dx = east[c] - east[start];
      const dy = north[c] - north[start];
      density += weight[c] / (kernel2 + (dx * dx + dy * dy));
    }
    if (density <= best) continue;
    best = density;
    middle.east = east[start];
    middle.north = north[start];
  }
  for (let step = 0; step < STEPS; step++) {
    let sum = 0;
    let eastSum = 0;
    let northSum = 0;
    for (let c = 0; c < count; c++) {
      const dx = east[c] - middle.east;
      const dy = north[c] - middle.north;
      const pull = weight[c] / (kernel2 + (dx * dx + dy * dy));
      sum += pull;
      eastSum += pull * east[c];
      northSum += pull * north[c];
    }
    middle.east = eastSum / sum;
    middle.north = northSum / sum;
  }
  return middle;
}
