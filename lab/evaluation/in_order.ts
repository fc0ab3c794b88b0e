// Concurrent work on a stream of items, with results in the order of the items.

/**
 * Works on each item, at most `width` at once, and yields the results in the items' order. Takes items only as results
 * are taken.
 * @throws the error of the first item that fails, in the items' order
 */
export async function* mappedInOrder<T, R>(
  items: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // This promise is awaited below. If an earlier failure ends the loop first, nobody awaits it, and its rejection
    // must not count as unhandled.
    result.catch(() => {});
    underWay.push(result);
    if (underWay.length === width) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
