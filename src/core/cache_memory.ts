// The shared memory of the station cache. It is WebAssembly's wherever that is possible, so that the lookup module
// (wasm/lookup/) can read it in place. A cache of more than 4 GiB does not fit into such a memory, and some systems
// limit the address space that it reserves. There it is an ordinary SharedArrayBuffer, and lookups run in JavaScript:
// slower, with the same results.

const PAGE_BYTES = 65_536;
/** WebAssembly's limit for a memory with addresses of 32 bits. */
const PAGES_MAX = 65_536;

/** Memory that every thread may be given: a `WebAssembly.Memory`, or an object of the same shape. */
export interface CacheMemory {
  readonly buffer: SharedArrayBuffer;
}

// The part of WebAssembly that is needed here; neither TypeScript's libraries in use nor Node's types declare it.
interface WebAssemblyApi {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => CacheMemory;
}
const { Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Shared memory of at least so many bytes, all of them 0. @throws RangeError when the system has not as many */
export function sharedMemoryOf(bytes: number): CacheMemory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  if (pages > PAGES_MAX) return { buffer: new SharedArrayBuffer(bytes) };
  try {
    return new Memory({ initial: pages, maximum: pages, shared: true });
  } catch (error) {
    if (error instanceof RangeError) return { buffer: new SharedArrayBuffer(bytes) };
    throw error;
  }
}

/** True for memory that a WebAssembly module can import. */
export function isWasmMemory(memory: CacheMemory): boolean {
  return memory instanceof Memory;
}
