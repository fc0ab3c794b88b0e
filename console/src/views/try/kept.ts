// Requests that are too large for an address: they are kept in the page, over a reload too, and the address names them
// by their content. Nobody else can open such an address.

/** Characters of a parameter in an address; programs that take addresses cut longer ones. */
const ADDRESS_MAX = 4_096;
const NAME = 'kept:';

/** For a page whose storage is full or forbidden. */
const kept = new Map<string, string>();

/** True if a request is too large for an address. @param body JSON */
export function isLarge(body: string): boolean {
  return body.length > ADDRESS_MAX || encodeURIComponent(body).length > ADDRESS_MAX;
}

/** Keeps a request. @returns what the address calls it */
export function keep(body: string): string {
  const id = digestOf(body);
  if (kept.has(id)) return id;
  kept.set(id, body);
  try {
    sessionStorage.setItem(NAME + id, body);
  } catch {
    // There is no room, so a reload forgets it.
  }
  return id;
}

/** The request of an address; undefined if this page does not have it. */
export function keptOf(id: string): string | undefined {
  try {
    return kept.get(id) ?? sessionStorage.getItem(NAME + id) ?? undefined;
  } catch {
    return undefined; // The browser lets the page store nothing.
  }
}

/** Length and 32 bits by FNV-1a: few requests are ever kept in a page. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(16)}`;
}
