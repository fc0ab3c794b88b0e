// Imports a table of importance. The places are built again with it: lists of common words hold the most important
// places, so it cannot be added to what there is. A table that is there before the first extract waits for it.

import { importancePath, keepWritten, livePlaces } from '../../tables/places/extract_files.ts';
import { ImportanceTable, type RatedItem, writeImportanceTable } from '../../tables/places/importance_table.ts';
import type { KeptImportance } from '../../tables/places/layer_meta.ts';
import { refuseLoss } from '../../tables/sources/source_name.ts';
import {
  asPlaces,
  buildExtracts,
  type ExtractChange,
  type ExtractSummary,
  keptExtracts,
  skippingOf,
} from './import_extracts.ts';

interface ChangeImportance extends ExtractChange {
  /** Of the table; what had the name before is replaced. */
  name: string;
  /** More than half of what had the name may go. */
  replace?: boolean | undefined;
  /** Ascending, none twice. */
  items: Iterable<RatedItem>;
  /** Called while the table is written; an exception from it ends the import. */
  onWriting(): void;
}

/** What an import did. @property kept the table */
export interface ChangedImportance extends ExtractSummary {
  kept: KeptImportance;
}

/**
 * Imports a table of importance beside those that the data folder has, and builds the places again.
 * @throws ReplacementRefused when too much would go; Error with a full sentence; the live layer is unchanged
 */
export async function changeImportance(options: ChangeImportance): Promise<ChangedImportance> {
  const { folder, name, replace, items, onWriting, onProgress } = options;
  const before = livePlaces(folder);
  return asPlaces(folder, async () => {
    const tables = before?.importance ?? [];
    let written: Pick<KeptImportance, 'items' | 'crc'>;
    const { file } = await keepWritten(folder, importancePath, path => {
      written = writeImportanceTable(path, items, onWriting);
    });
    const kept = { name, file, ...written!, importedAt: new Date().toISOString() };
    const held = tables.find(table => table.name === name);
    if (held !== undefined && !replace) requireKept(folder, held, kept);
    const importance = [...tables.filter(table => table !== held), kept];
    const extracts = keptExtracts(folder, before);
    const built = await buildExtracts(folder, { extracts, importance }, onProgress);
    return { ...skippingOf(built, extracts, []), kept };
  });
}

/** @throws ReplacementRefused when a table lacks too much of that before */
function requireKept(folder: string, held: KeptImportance, kept: KeptImportance): void {
  const before = new ImportanceTable(importancePath(folder, held.file));
  const now = new ImportanceTable(importancePath(folder, kept.file));
  try {
    refuseLoss(held.name, 'items', before.items, now.countMissing(before));
  } finally {
    before.close();
    now.close();
  }
}
