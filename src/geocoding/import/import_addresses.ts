// Imports addresses, or postcodes, that are not of OpenStreetMap. The data folder keeps them as it keeps extracts, and
// the places are built from all of both, so the order of imports does not matter.

import { crc32 } from 'node:zlib';
import { addressesPath, keepWritten, livePlaces } from '../../tables/places/extract_files.ts';
import type { AddressKind } from '../../tables/places/layer_meta.ts';
import { refuseLoss } from '../../tables/sources/source_name.ts';
import { type AddressSource, AddressWriter, type GivenAddress, readAddressFile } from './houses/address_file.ts';
import {
  asPlaces,
  buildExtracts,
  type ExtractChange,
  type ExtractSummary,
  keptExtracts,
  skippingOf,
} from './import_extracts.ts';

interface ImportAddresses<R> extends ExtractChange {
  kind: AddressKind;
  /** Name of the source; what was imported under it before is replaced. */
  source: string;
  licence?: string | undefined;
  /** More than half of what the source has may go. */
  replace?: boolean | undefined;
  /** Reads all addresses. */
  read(take: (address: GivenAddress) => void): Promise<R>;
}

/**
 * Imports a source beside the others of the data folder.
 * @returns what was read, and what the places are now
 * @throws ReplacementRefused when too much would go; Error with a full sentence; the live layer is unchanged
 */
export async function importAddresses<R extends object>(options: ImportAddresses<R>): Promise<R & ExtractSummary> {
  const { folder, kind, source: name, licence, replace, read, onProgress } = options;
  const before = livePlaces(folder);
  return asPlaces(folder, async () => {
    const extracts = keptExtracts(folder, before);
    const written = { checksum: 0, count: 0 };
    let result: R | undefined;
    const { file, path } = await keepWritten(folder, addressesPath, async to => {
      const writer = new AddressWriter(to);
      try {
        result = await read(address => writer.add(address));
        written.checksum = writer.finish();
        written.count = writer.count;
      } finally {
        writer.close();
      }
    });
    if (written.count === 0)
      throw new Error(`None of the rows is ${kind === 'postcodes' ? 'a postcode' : 'an address'}.`);
    const { checksum, count: objects } = written;
    const old = extracts.get(name);
    if (old !== undefined && !replace) {
      const replaced = { name, path: old.paths[0], checksum: old.kept.checksum! };
      refuseLoss(name, kind, old.kept.objects, countMissing(replaced, { name, path, checksum }));
    }
    extracts.delete(name);
    const kept = { name, kind, files: [file], objects, checksum, importedAt: new Date().toISOString() };
    extracts.set(name, { kept: { ...kept, ...(licence !== undefined && { licence }) }, paths: [path] });
    const places = { extracts, importance: before?.importance };
    const summary = skippingOf(await buildExtracts(folder, places, onProgress), extracts, [name]);
    return { ...result!, ...summary };
  });
}

type File = Pick<AddressSource, 'name' | 'path' | 'checksum'>;

/** How many addresses of a file are not in another one, wherever they are. */
function countMissing(before: File, now: File): number {
  const hashOf = (tags: object) => crc32(Object.values(tags).join('\n'));
  const kept = new Set<number>();
  for (const { tags } of readAddressFile(now)) kept.add(hashOf(tags));
  let missing = 0;
  for (const { tags } of readAddressFile(before)) if (!kept.has(hashOf(tags))) missing++;
  return missing;
}
