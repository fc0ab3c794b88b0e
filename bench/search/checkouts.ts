// Geocoders of this checkout and of another one, such as the one before a change, each with layers that it built
// itself. All run in this process and take turns, so that a busy machine slows them alike. Packages come from this
// checkout for both: a process cannot have two copies of LMDB, which would damage each other's records.

import { mkdirSync } from 'node:fs';
import { isBuiltin, registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SearchQuestion } from '../../src/geocoding/search/question.ts';

/** What is loaded. */
export const LOADED = ['extract', 'world', 'both'] as const;
export type Loaded = (typeof LOADED)[number];

/** Folders of layers. */
export interface LayerFolders {
  extract: string;
  world: string;
}

/** A geocoder of a checkout. */
export interface Subject {
  /** Answers a question. @returns one line for each place */
  ask(question: SearchQuestion): string[];
  /** Time of one answer, microseconds. */
  time(question: SearchQuestion): number;
  close(): Promise<void>;
}

/** A place that a drawing yields, with its shape. */
export type Drawing = Iterable<Parameters<import('../../src/geocoding/import/layer_builder.ts').LayerBuilder['add']>>;

const HERE = fileURLToPath(new URL('../..', import.meta.url));

/** Code of a checkout. */
export class Checkout {
  private readonly root: string;

  /** @param root folder of the checkout; by default this one */
  constructor(root = HERE) {
    this.root = resolve(root);
    if (this.root !== resolve(HERE)) shareOwnPackages(this.root);
  }

  private load<T>(file: string): Promise<T> {
    return import(pathToFileURL(join(this.root, file)).href) as Promise<T>;
  }

  /** Folder of the gazetteer's layer, which `npm run prepare` builds. */
  async world(): Promise<string> {
    const { currentLayer, WORLD_FOLDER } = await this.load<typeof import('../../src/tables/places/generations.ts')>(
      'src/tables/places/generations.ts',
    );
    const folder = currentLayer(WORLD_FOLDER);
    if (folder === undefined) throw new Error(`${this.root} has no gazetteer. Run "node src/prepare.js" there.`);
    return folder;
  }

  /** Imports an extract. @param folder new data folder @returns folder of the layer */
  async importExtract(file: string, folder: string): Promise<string> {
    const { importExtracts } = await this.load<typeof import('../../src/geocoding/import/import_extracts.ts')>(
      'src/geocoding/import/import_extracts.ts',
    );
    const { currentLayer, placesFolder } = await this.load<typeof import('../../src/tables/places/generations.ts')>(
      'src/tables/places/generations.ts',
    );
    mkdirSync(folder, { recursive: true });
    await importExtracts({ folder, files: [file], onProgress: () => {} });
    return currentLayer(placesFolder(folder))!;
  }

  /** Builds a layer of drawn places. @returns its folder */
  async draw(drawing: Drawing, folder: string): Promise<string> {
    const { LayerBuilder } = await this.load<typeof import('../../src/geocoding/import/layer_builder.ts')>(
      'src/geocoding/import/layer_builder.ts',
    );
    const builder = LayerBuilder.start(folder);
    for (const each of drawing) builder.add(...each);
    await builder.finish({ licence: 'drawn', sources: [] });
    return folder;
  }

  /** Opens a geocoder. */
  async open({ extract, world }: LayerFolders, loaded: Loaded): Promise<Subject> {
    const { Geocoder } = await this.load<typeof import('../../src/geocoding/geocoder.ts')>('src/geocoding/geocoder.ts');
    const { createLayerShare, LayerShareSource } = await this.load<
      typeof import('../../src/tables/places/layer_share.ts')
    >('src/tables/places/layer_share.ts');
    const share = createLayerShare();
    const source = new LayerShareSource(share);
    source.replace({ ...(loaded === 'world' ? {} : { extract }), ...(loaded === 'extract' ? {} : { world }) });
    const geocoder = await Geocoder.open(share);
    return {
      ask: question => {
        const lines = geocoder.search(question).map(({ placeId, displayName }) => `${placeId} ${displayName}`);
        geocoder.release();
        return lines;
      },
      time: question => {
        const before = performance.now();
        geocoder.search(question);
        geocoder.release();
        return (performance.now() - before) * 1000;
      },
      close: () => geocoder.close(),
    };
  }
}

/** Lets the modules of another checkout import the packages of this one. */
function shareOwnPackages(root: string): void {
  const others = pathToFileURL(join(root, '/')).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const isPackage = !/^[./]|^file:/.test(specifier) && !isBuiltin(specifier);
      return next(
        specifier,
        isPackage && context.parentURL?.startsWith(others) ? { ...context, parentURL: import.meta.url } : context,
      );
    },
  });
}
