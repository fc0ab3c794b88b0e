// Tiles of the service. It refuses tiles when it draws too many already, and says when to ask again (`Retry-After`):
// until then the map waits for them, as it does for others, and forgets those that it shows no more.

import { addProtocol } from 'maplibre-gl';

const SCHEME = 'own-tiles';
/** Answers that say when to ask again: too much is under way, or not ready yet. */
const LATER = [429, 503];
const SECOND_MILLISECONDS = 1_000;
/** A service that says nothing is asked again after this, and no answer makes the map wait longer than the other. */
const WAIT_SECONDS = 1;
const WAIT_SECONDS_MAX = 60;

addProtocol(SCHEME, async ({ url }, { signal }) => {
  const address = url.slice(SCHEME.length + ':/'.length);
  for (;;) {
    const response = await fetch(address, { signal });
    if (response.ok) return { data: await response.arrayBuffer() };
    if (!LATER.includes(response.status)) throw new Error(`The tile ${address} was answered ${response.status}.`);
    await pause(secondsOf(response), signal);
  }
});

/** The address of tiles for MapLibre. @param path of the service, as `/tiles/map/{z}/{x}/{y}`, with its query */
export function ownTiles(path: string): string {
  return `${SCHEME}:/${path}`;
}

function secondsOf({ headers }: Response): number {
  const said = Number(headers.get('retry-after'));
  return said > 0 ? Math.min(said, WAIT_SECONDS_MAX) : WAIT_SECONDS;
}

/** @throws AbortError when the tile is not wanted any more */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, seconds * SECOND_MILLISECONDS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });
}
