// Work on a stream of things, several at once, results in the order of the things.

/**
 * Does the work for each item, at most `width` at once, and gives the results in the items' order. Takes items only as results are taken.
 * @throws what the first failing work throws, in the items' order
 */
export async function* mappedInOrder<T, R>(items: AsyncIterable<T>, width: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure behind another one that has ended the loop is nobody's to hear; its own turn comes below.
    result.catch(() => {});
    underWay.push(result);
    if (underWay.length === width) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
