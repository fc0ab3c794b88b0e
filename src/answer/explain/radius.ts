// What an answered radius is made of. Estimates are independent, so the variance of the joined position is the sum of
// what each contributes, and within an estimate the sum of its parts. The square of the radius is divided in the same
// proportions: a part in metres is the root of its share. What calibration has done to the estimates stands apart,
// since it widens or narrows all parts of one estimate alike.

import type { Estimate } from '../../positioning/estimates/estimate.ts';
import type { EstimateRecord, Part } from '../../positioning/estimates/recorder.ts';
import type { RadiusParts } from './explanation.ts';

/** Root of the square of a radius, divided among parts in proportion to their variances. */
export function divide(radiusMetres: number, variances: Readonly<RadiusParts>): RadiusParts {
  const entries = Object.entries(variances) as [Part, number][];
  const sum = entries.reduce((total, [, variance]) => total + variance, 0);
  return Object.fromEntries(entries.map(([part, variance]) => [part, radiusMetres * Math.sqrt(variance / sum)]));
}

/** A matrix of two rows, or a covariance. */
interface Matrix {
  xx: number;
  xy: number;
  yx: number;
  yy: number;
}

/**
 * What an estimate is in the joined one: its weight, the mean of both axes, and its share of the variance. Each adds up
 * to 1 over all that are joined.
 */
export function shareOf(estimate: Estimate, joined: Estimate): { weight: number; variance: number } {
  const covariance = matrixOf(estimate);
  const gain = product(matrixOf(joined), inverse(covariance));
  const part = product(product(gain, covariance), { xx: gain.xx, xy: gain.yx, yx: gain.xy, yy: gain.yy });
  return { weight: (gain.xx + gain.yy) / 2, variance: (part.xx + part.yy) / (joined.cxx + joined.cyy) };
}

/**
 * The parts of a joined radius, and by how much calibration has changed it: the root of the sum of their squares, plus
 * that, is the radius.
 */
export function partsOfJoined(
  radiusMetres: number,
  joined: readonly { record: EstimateRecord; variance: number }[],
): { parts: RadiusParts; calibrationMetres: number } {
  const squares: RadiusParts = {};
  let sum = 0;
  for (const { record, variance } of joined) {
    const square = (variance * radiusMetres ** 2) / record.calibration ** 2;
    for (const [part, metres] of Object.entries(divide(Math.sqrt(square), record.parts)) as [Part, number][])
      squares[part] = (squares[part] ?? 0) + metres ** 2;
    sum += square;
  }
  const parts = Object.fromEntries(
    (Object.entries(squares) as [Part, number][]).map(([part, square]) => [part, Math.sqrt(square)]),
  );
  const isCalibrated = joined.some(({ record }) => record.calibration !== 1);
  return { parts, calibrationMetres: isCalibrated ? radiusMetres - Math.sqrt(sum) : 0 };
}

function matrixOf({ cxx, cxy, cyy }: Estimate): Matrix {
  return { xx: cxx, xy: cxy, yx: cxy, yy: cyy };
}

function product(a: Matrix, b: Matrix): Matrix {
  return {
    xx: a.xx * b.xx + a.xy * b.yx,
    xy: a.xx * b.xy + a.xy * b.yy,
    yx: a.yx * b.xx + a.yy * b.yx,
    yy: a.yx * b.xy + a.yy * b.yy,
  };
}

function inverse({ xx, xy, yx, yy }: Matrix): Matrix {
  const determinant = xx * yy - xy * yx;
  return { xx: yy / determinant, xy: -xy / determinant, yx: -yx / determinant, yy: xx / determinant };
}
