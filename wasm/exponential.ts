// Exponentials of several numbers at once. e^x = 2^n * e^f with n the whole number nearest to x / ln 2 and f the rest,
// |f| <= 0.3466, whose exponential is a series. 2^n are bits of a float.

/** e^x of four f32 from -80 to 80, relative error under 3e-7; less counts as -80, since denormal numbers are slow. */
export function exponentials4(x: v128): v128 {
  const least = f32x4.max(x, f32x4.splat(-80));
  const n = f32x4.nearest(f32x4.mul(least, f32x4.splat(<f32>Math.LOG2E)));
  // ln 2 in two parts, of which the first has few bits, so that the difference is exact.
  const f = f32x4.sub(
    f32x4.sub(least, f32x4.mul(n, f32x4.splat(0.693359375))),
    f32x4.mul(n, f32x4.splat(-0.00021219444005469057)),
  );
  let sum = f32x4.add(f32x4.splat(0.008333333333333333), f32x4.mul(f, f32x4.splat(0.001388888888888889)));
  sum = f32x4.add(f32x4.splat(0.041666666666666664), f32x4.mul(f, sum));
  sum = f32x4.add(f32x4.splat(0.16666666666666666), f32x4.mul(f, sum));
  sum = f32x4.add(f32x4.splat(0.5), f32x4.mul(f, sum));
  sum = f32x4.add(f32x4.splat(1), f32x4.mul(f, sum));
  sum = f32x4.add(f32x4.splat(1), f32x4.mul(f, sum));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
  return f32x4.mul(sum, power);
}
