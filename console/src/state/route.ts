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

/** Members of an address; one that is undefined is left out. */
type Changes = Record<string, string | number | undefined>;

/** The hash of where the page is, with other parameters; one that is undefined goes. */
export function hashWith(changes: Changes): string {
  const { view, parameters } = route.value;
  const given = Object.entries({ ...Object.fromEntries(parameters), ...changes }).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  return hashOf(view, Object.fromEntries(given));
}

/** Stays in the view and changes parameters. @param replaces as `navigate` */
export function navigateWith(changes: Changes, replaces = false): void {
  goTo(hashWith(changes), replaces);
}

/** Goes to a view. @param replaces the entry of the history: for what changes while people type or move the map */
export function navigate(view: string, parameters: Record<string, string | number> = {}, replaces = false): void {
  goTo(hashOf(view, parameters), replaces);
}

function goTo(hash: string, replaces: boolean): void {
  if (!replaces) location.hash = hash;
  else {
    history.replaceState(null, '', hash);
    route.value = readRoute();
  }
}
