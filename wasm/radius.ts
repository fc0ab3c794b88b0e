// Radius that holds a share p of a two-dimensional Gaussian around its mean.
//
// With standard deviations a >= b along the axes, the chance of lying within r is an integral over the direction t of
//   P(r) = 1/(2 pi) * integral of (1 - exp(-r^2 q(t) / 2)) / (a b q(t)) dt,  q(t) = cos^2 t / a^2 + sin^2 t / b^2.
// Scaled by t -> u with tan u = (a / b) tan t it becomes the mean over u of 1 - exp(-r^2 / (2 s(u))), s(u) = a^2 cos^2 u + b^2 sin^2 u: smooth and periodic, so the
// midpoint rule converges fast, and P grows with r, so a bracketed Newton finds the radius. A circle has the closed form sigma * sqrt(-2 ln(1 - p)).
