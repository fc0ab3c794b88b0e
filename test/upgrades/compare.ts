// Whether a later version answers as an earlier one did. It may say more than that, and its numbers may be a little
// others: constants of positioning change. Everything that the earlier one said must be there.

/** Ten metres in degrees, or a twentieth. */
const DEGREES = 0.0001;
const SHARE = 0.05;

/** What differs, by its path. @param before what must be there @param after what is */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before === 'number' && typeof after === 'number') {
    const isSame = Math.abs(before - after) <= Math.max(DEGREES, isPosition(path) ? 0 : Math.abs(before) * SHARE);
    return isSame ? [] : [`${path}: ${before}, now ${after}`];
  }
  if (typeof before === 'object' && before !== null && typeof after === 'object' && after !== null) {
    const longer = Array.isArray(before) && Object.keys(after).length > before.length;
    return [
      ...(longer ? [`${path}: more than ${before.length} entries`] : []),
      ...Object.entries(before).flatMap(([name, value]) =>
        differences(value, (after as Record<string, unknown>)[name], `${path}/${name}`),
      ),
    ];
  }
  return before === after ? [] : [`${path}: ${JSON.stringify(before)}, now ${JSON.stringify(after)}`];
}

function isPosition(path: string): boolean {
  return /\/(?:lat|lng|lon)$/.test(path);
}
