// Minimises a function of several variables without derivatives: the simplex method of Nelder and Mead (1965), for a
// handful of variables of similar scale.

const REFLECT = -1;
const EXPAND = -2;
const CONTRACT = 0.5;
const SHRINK = 0.5;
/** Values of the simplex that differ by less are the same. */
const TOLERANCE = 1e-5;

/**
 * The best point found.
 * @param start one value for each variable
 * @param step first edge of the simplex
 * @param evaluations calls of the function at most, apart from those of the last step
 */
export function minimise(
  of: (point: readonly number[]) => number,
  start: readonly number[],
  step: number,
  evaluations: number,
): { point: number[]; value: number } {
  let calls = 0;
  const at = (point: number[]) => {
    calls++;
    return { point, value: of(point) };
  };
  const simplex = [
    at([...start]),
    ...start.map((_, i) => at(start.map((value, k) => (k === i ? value + step : value)))),
  ];
  while (calls < evaluations) {
    simplex.sort((a, b) => a.value - b.value);
    const worst = simplex[simplex.length - 1];
    if (worst.value - simplex[0].value < TOLERANCE) break;
    const others = simplex.slice(0, -1);
    const centre = start.map((_, i) => others.reduce((sum, { point }) => sum + point[i], 0) / others.length);
    const along = (factor: number) => at(centre.map((value, i) => value + factor * (worst.point[i] - value)));
    const reflected = along(REFLECT);
    if (reflected.value < simplex[0].value) {
      const expanded = along(EXPAND);
      simplex[simplex.length - 1] = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < others[others.length - 1].value) {
      simplex[simplex.length - 1] = reflected;
    } else {
      const contracted = along(CONTRACT);
      if (contracted.value < worst.value) simplex[simplex.length - 1] = contracted;
      else {
        const [best] = simplex;
        for (let i = 1; i < simplex.length; i++) {
          simplex[i] = at(simplex[i].point.map((value, k) => best.point[k] + SHRINK * (value - best.point[k])));
        }
      }
    }
  }
  return simplex.reduce((best, each) => (each.value < best.value ? each : best));
}
