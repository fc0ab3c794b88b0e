// Quantiles with linear interpolation.

/**
 * The value that a share of all values does not exceed, interpolated between the two values around it.
 * @param values in any order
 * @param share 0..1
 * @returns NaN if there are no values
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted.length === 0 ? Number.NaN : sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
