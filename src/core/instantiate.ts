// Loads the compiled core, checks that it was built from the same layout, and instantiates it. Each thread compiles it
// once, and nothing is allocated in it afterwards. Small classes call its kernels, each with typed views of its own
// buffers: it writes the inputs there, calls the kernel, and returns the result. Results for each station or particle
// stay in the views until the next call. After a trap, drop the classes and use a fresh instance.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CORE_BASE,
  CORE_END,
  LAYOUT_VERSION,
  MAX_BODY,
  MAX_COMPONENTS,
  MAX_ESTIMATES,
  MAX_MAP_PLACES,
  MAX_NEAR_WALLS,
  MAX_OBSERVATIONS,
  MAX_PARTICLES,
  MAX_PLACES,
  MAX_POINTS,
  MAX_SOLVE,
} from '../../wasm/memory.ts';

/** What the compiled core exports (wasm/index.ts). */
export interface CoreExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  setFrame(latitude: number, longitude: number): number;
  eastOf(longitude: number): number;
  northOf(latitude: number): number;
  latitudeOf(north: number): number;
  longitudeOf(east: number): number;
  distanceAt(levelDbm: number, referenceDbm: number, exponent: number): number;
  trilaterate(
    count: number,
    startEast: number,
    startNorth: number,
    priorEast: number,
    priorNorth: number,
    priorSigma: number,
    reach: number,
  ): number;
  placeSelected(count: number, origin: number): number;
  locateByTransmitters(model: number, count: number, leastDriftMetres: number): number;
  fuse(count: number, gate: number): number;
  radius(xx: number, xy: number, yy: number, p: number): number;
  moveParticles(
    count: number,
    seed: number,
    step: number,
    length: number,
    heading: number,
    lengthSigma: number,
    headingSigma: number,
    biasSigma: number,
    driftSigma: number,
  ): number;
  drawParticles(
    first: number,
    components: number,
    each: number,
    seed: number,
    step: number,
    biasSigma: number,
    strideSigma: number,
  ): number;
  boxOfParticles(first: number, count: number): number;
  stopAtWalls(first: number, count: number, walls: number, fromEast: number, fromNorth: number): number;
  drawMoving(first: number, components: number, each: number, seed: number): number;
  weighByPoints(count: number, points: number, width: number, background: number): number;
  weighByPlaces(count: number, places: number, reach: number, background: number): number;
  beginMatch(places: number): number;
  matchRadio(
    levels: number,
    steps0: number,
    steps1: number,
    steps2: number,
    steps3: number,
    scale: number,
    weight: number,
    scanned: number,
    level: number,
  ): number;
  explainMatch(
    places: number,
    scanned: number,
    scan0: number,
    scan1: number,
    scan2: number,
    scan3: number,
    scale: number,
  ): number;
  weighMatch(
    places: number,
    scanned: number,
    scan0: number,
    scan1: number,
    scan2: number,
    scan3: number,
    scale: number,
    power: number,
  ): number;
  scanBody(length: number): number;
  staticEnd(): number;
}

// The part of WebAssembly that is needed here; neither TypeScript's libraries in use nor Node's types declare it.
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: CoreExports & Record<string, unknown> };
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

const CORE_FILE = fileURLToPath(new URL('../../build/core.wasm', import.meta.url));

// Exported globals of the compiled core and the values they must have.
const EXPECTED = {
  LAYOUT_VERSION,
  CORE_END,
  MAX_MAP_PLACES,
  MAX_NEAR_WALLS,
  MAX_SOLVE,
  MAX_ESTIMATES,
  MAX_PARTICLES,
  MAX_COMPONENTS,
  MAX_PLACES,
  MAX_POINTS,
  MAX_BODY,
  MAX_OBSERVATIONS,
};

let compiled: object | undefined;
let ofThread: CoreExports | undefined;

/**
 * The core of this thread. Whatever computes here shares its memory: each kernel has buffers of its own, but for the
 * particles, and nobody reads what he has not written in the same call. Bodies are scanned in a core of their own
 * (body_scanner.ts).
 * @throws Error as `instantiateCore`
 */
export function coreOfThread(): CoreExports {
  ofThread ??= instantiateCore();
  return ofThread;
}

/**
 * A fresh instance of `build/core.wasm`.
 * @throws Error when the file is missing or was compiled from another layout.
 */
export function instantiateCore(): CoreExports {
  compiled ??= compileCore(CORE_FILE);
  return instantiate(compiled);
}

/**
 * Compiles a core file.
 * @throws Error when it is missing or is not WebAssembly.
 */
export function compileCore(file: string): object {
  if (!existsSync(file)) throw new Error(`The numeric core ${file} is missing; build it with "npm run prepare".`);
  try {
    return new Module(readFileSync(file));
  } catch (error) {
    throw new Error(`The numeric core ${file} cannot be compiled; build it again with "npm run prepare".`, {
      cause: error,
    });
  }
}

/**
 * Instantiates a compiled core and compares the constants it was compiled with.
 * @throws Error naming the first difference.
 */
export function instantiate(module: object): CoreExports {
  const exports = new Instance(module, { host: Math }).exports;
  for (const [name, expected] of Object.entries(EXPECTED)) {
    const value = (exports[name] as { value?: unknown } | undefined)?.value;
    if (value !== expected) {
      throw new Error(
        `The numeric core was built with ${name} = ${value}, this version needs ${expected}; build it again ` +
          `with "npm run prepare".`,
      );
    }
  }
  if (exports.staticEnd() > CORE_BASE) {
    throw new Error(`The numeric core's static data ends at ${exports.staticEnd()}, over its buffers at ${CORE_BASE}.`);
  }
  if (exports.memory.buffer.byteLength < CORE_END) {
    throw new Error(`The numeric core has ${exports.memory.buffer.byteLength} bytes of memory and needs ${CORE_END}.`);
  }
  return exports;
}
