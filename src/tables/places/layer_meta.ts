// What a layer of places says of itself, and of the files that it was built from.

/** What a source has besides a map: houses, or postcodes without houses. */
export type AddressKind = 'addresses' | 'postcodes';

/** A source of addresses, and under which licence it is, as its import said. */
export interface Register {
  name: string;
  licence?: string;
}

/** An extract, or a source of addresses, of which the data folder keeps a copy (extract_files.ts). */
export interface KeptExtract {
  name: string;
  /** What it holds other than a map; absent for a map. */
  kind?: AddressKind;
  /** Whose data it is, as its import said. */
  licence?: string;
  /** Of places that came finished: the sources of addresses that are in them. */
  registers?: Register[];
  /** CRC-32 of the file of addresses. */
  checksum?: number;
  /** Numbers of its files. */
  files: number[];
  /** Objects in it that make places, also those that another extract has too. */
  objects: number;
  /** ISO 8601, UTC. */
  importedAt: string;
  /** Number of the last file of its publisher's changes that is in it; absent where nothing tells it. */
  sequence?: number;
  /** Up to when it has the changes of the map, ISO 8601, UTC; absent where nothing tells it. */
  upTo?: string;
  /** Changes of the map since it was made; absent without any. */
  changes?: KeptChanges;
}

/** The changes of an extract of one file, in a file of their own. */
interface KeptChanges {
  /** Number of the file. */
  file: number;
  /** Objects in it. */
  objects: number;
}

/** A table of importance that the data folder keeps (importance_table.ts). */
export interface KeptImportance {
  name: string;
  /** Number of its file. */
  file: number;
  /** Items of Wikidata in it. */
  items: number;
  /** CRC-32 of them. */
  crc: number;
  /** ISO 8601, UTC. */
  importedAt: string;
}

/** The description of a layer. */
export interface LayerMeta {
  /** Version of the layout; another one is refused. */
  format: number;
  /** ISO 8601, UTC. */
  builtAt: string;
  /** Places in it; their ids are 1..count. */
  count: number;
  /** Licence of the data, as in answers. */
  licence: string;
  /** Names of the extracts or packages that it was built from. */
  sources: string[];
  /** The extracts in the order of their import; absent in the gazetteer. */
  extracts?: KeptExtract[];
  /** The tables of importance that it was built with; absent without one. */
  importance?: readonly KeptImportance[];
  /** It answers points, and has nothing of what searches and lookups of objects need. */
  pointsOnly?: true;
}

/** What whoever builds a layer says of it. */
export type LayerAbout = Pick<LayerMeta, 'licence' | 'sources' | 'extracts' | 'importance' | 'pointsOnly'> &
  Partial<Pick<LayerMeta, 'builtAt'>>;
