// Where things stand in the pages of an LMDB file, for whoever reads or writes pages without LMDB.
//
// Source: `MDB_page`, `MDB_node`, `MDB_ovpage`, `MDB_db` and `MDB_meta` in the liblmdb of lmdb-js (mdb.c, data version
// 2), little-endian. Behind its header a page of a tree has the places of its nodes, u16, counted from the end of the
// header; nodes lie at its end. Pages 0 and 1 each have a meta record behind the header; a third one, of the last
// transaction that was flushed, stands half a page after the first and has no magic number.

export const PAGE_HEADER_BYTES = 24;
/** u64. */
export const PAGE_NUMBER_AT = 0;
/** u64. */
export const PAGE_TRANSACTION_AT = 8;
/** u16. */
export const FLAGS_AT = 18;
export const IS_BRANCH = 1;
export const IS_LEAF = 2;
export const IS_OVERFLOW = 4;
export const IS_META = 8;
export const FLAGS = 0x7f;
/** Where the places of nodes end: u16, or u32 pages in the first of some overflow pages. */
export const LOWER_AT = 20;
/** Where the nodes begin: u16. */
export const UPPER_AT = 22;

// A node: size of its data or number of a page, 32 bits; flags, or the number's upper bits; size of its key; key; data.
/** u16. */
export const NODE_FLAGS_AT = 4;
/** u16. */
export const KEY_BYTES_AT = 6;
export const NODE_BYTES = 8;
/** The data lie in overflow pages. */
export const HAS_OVERFLOW = 1;
/** The data describe a tree. */
export const HAS_TREE = 2;
/** Where data lie: page u64, transaction u64, pages u64. */
export const OVERFLOW_BYTES = 24;

/** The description of a tree. */
export const TREE_BYTES = 48;
/** u16. */
export const TREE_DEPTH_AT = 6;
/** Branch pages, leaf pages, overflow pages and entries: u64 each. */
export const TREE_COUNTS_AT = 8;
/** u64. */
export const TREE_ROOT_AT = 40;
/** The root of an empty tree. */
export const NO_ROOT = 0xffffffffffffffffn;

// A meta record, counted from the beginning of its page.
export const MAGIC = 0xbeefc0de;
/** u32. */
export const MAGIC_AT = 24;
export const DATA_VERSION = 2;
/** u32. */
export const VERSION_AT = 28;
/** Bytes of the map when it was written: u64. */
export const MAP_BYTES_AT = 40;
/** u32, in the description of the first tree. */
export const PAGE_SIZE_AT = 48;
/** u16, in the description of the first tree. */
export const META_FLAGS_AT = 52;
/** The first tree, of free pages, has numbers as keys. */
export const HAS_NUMBER_KEYS = 8;
export const NOT_FLUSHED = 0x1000;
/**
 * Where the two trees of a file are described, in which everything else is found: that of free pages, and the main one.
 */
export const TREES_AT = [48, 96];
/** u64. */
export const LAST_PAGE_AT = 144;
/** u64. */
export const TRANSACTION_AT = 152;
/** u64. */
export const BOOT_AT = 160;
export const META_BYTES = 168;
