// Natural logarithms of several numbers at once. A positive normal x is 2^e * m with m in [sqrt(1/2), sqrt(2)). Then ln
// x = e ln 2 + 2 artanh f with f = (m - 1) / (m + 1), |f| <= 0.1716, and each term of the odd series of artanh is
// smaller by a factor of 34. The exponent becomes a float without a conversion instruction: its bits are put into the
// mantissa of 2^52, which is then subtracted.

/** ln of two f64, error under 4e-12. */
export function logarithms(x: v128): v128 {
  // Counted from (almost) sqrt(1/2), plus 1024 so that no exponent is negative.
  const shifted = i64x2.add(i64x2.sub(x, i64x2.splat(0x3fe6a09e00000000)), i64x2.splat(0x4000000000000000));
  const power = v128.and(shifted, i64x2.splat(0xfff0000000000000));
  const m = i64x2.add(i64x2.sub(x, power), i64x2.splat(0x4000000000000000));
  const e = f64x2.sub(
    v128.or(i64x2.shr_u(shifted, 52), i64x2.splat(0x4330000000000000)),
    f64x2.splat(4503599627371520),
  ); // 2^52 + 1024
  const one = f64x2.splat(1);
  const f = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one));
  const s = f64x2.mul(f, f);
  let sum = f64x2.add(f64x2.splat(0.1818181818181818), f64x2.mul(s, f64x2.splat(0.15384615384615385)));
  sum = f64x2.add(f64x2.splat(0.2222222222222222), f64x2.mul(s, sum));
  sum = f64x2.add(f64x2.splat(0.2857142857142857), f64x2.mul(s, sum));
  sum = f64x2.add(f64x2.splat(0.4), f64x2.mul(s, sum));
  sum = f64x2.add(f64x2.splat(0.6666666666666666), f64x2.mul(s, sum));
  sum = f64x2.add(f64x2.splat(2), f64x2.mul(s, sum));
  return f64x2.add(f64x2.mul(e, f64x2.splat(Math.LN2)), f64x2.mul(f, sum));
}

/** ln of four f32, error under 4e-7. */
export function logarithms4(x: v128): v128 {
  const shifted = i32x4.sub(x, i32x4.splat(0x3f3504f3));
  const power = v128.and(shifted, i32x4.splat(0xff800000));
  const m = i32x4.sub(x, power);
  const e = f32x4.convert_i32x4_s(i32x4.shr_s(shifted, 23));
  const one = f32x4.splat(1);
  const f = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one));
  const s = f32x4.mul(f, f);
  let sum = f32x4.add(f32x4.splat(0.4), f32x4.mul(s, f32x4.splat(0.2857142857142857)));
  sum = f32x4.add(f32x4.splat(0.6666666666666666), f32x4.mul(s, sum));
  sum = f32x4.add(f32x4.splat(2), f32x4.mul(s, sum));
  return f32x4.add(f32x4.mul(e, f32x4.splat(<f32>Math.LN2)), f32x4.mul(f, sum));
}
