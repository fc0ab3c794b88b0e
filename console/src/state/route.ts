// Where the page is: the view and its parameters, in the hash of the address, as `#/try?log=123`. Nothing secret ever
// stands there, so an address may be passed on.

import { signal } from '@preact/signals';

/** A view with its parameters. */
interface Route {
  view: string;
  parameters: URLSearchParams;
}

/** Where the page is now. */
export const route = signal<Route>(readRoute());

addEventListener('hashchange', () => {
  route.value = readRoute();
});

function readRoute(): Route {
  const [, view = '', parameters = ''] = /^#\/([\w-]*)(?:\?(.*))?$/.exec(location.hash) ?? [];
  return { view, parameters: new URLSearchParams(parameters) };
}

/** The hash of a view. */
export function hashOf(view: string, parameters: Record<string, string | number> = {}): string {
  const given = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return `#/${view}${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** Goes to a view. @param replaces the entry of the history: for what changes while people type or move the map */
export function navigate(view: string, parameters: Record<string, string | number> = {}, replaces = false): void {
  const hash = hashOf(view, parameters);
  if (!replaces) location.hash = hash;
  else {
    history.replaceState(null, '', hash);
    route.value = readRoute();
  }
}
