// Writes small databases in MaxMind's form (.mmdb), as its specification describes it: a binary tree of addresses, the
// records that its leaves name, and metadata.

import { isIPv4 } from 'node:net';

/** A value of a record; whole numbers are written as such, others as doubles. */
type Value = string | number | bigint | boolean | Value[] | { [member: string]: Value };

/** A network in CIDR notation, and its record. */
type Network = [cidr: string, record: Value];

interface Options {
  type?: string;
  builtMs?: number;
  /** 4 or 6; one of 6 has addresses of IPv4 among its own. */
  ipVersion?: 4 | 6;
}

/** A node: what follows on 0 and on 1. A number is the offset of a record. */
type Node = [Node | number | undefined, Node | number | undefined];

const RECORD_BITS = 24;
const SEPARATOR = Buffer.alloc(16);
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;
const UINT64 = 9;
const ARRAY = 11;
const BOOLEAN = 14;

/** The bytes of a database. @param networks none within another */
export function addressDatabase(networks: readonly Network[], options: Options = {}): Buffer {
  const { type = 'Test-City', builtMs = Date.UTC(2026, 10, 1), ipVersion = 6 } = options;
  const root: Node = [undefined, undefined];
  const records: Buffer[] = [];
  let length = 0;
  for (const [cidr, record] of networks) {
    insert(root, bitsOf(cidr, ipVersion), length);
    const bytes = encode(record);
    records.push(bytes);
    length += bytes.length;
  }
  const nodes = nodesOf(root);
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach((node, i) => {
    node.forEach((next, side) => {
      // What leads nowhere has the number of nodes; records are counted from behind the separator.
      const number =
        next === undefined
          ? nodes.length
          : typeof next === 'number'
            ? nodes.length + SEPARATOR.length + next
            : numbers.get(next)!;
      tree.writeUIntBE(number, i * 6 + side * 3, 3);
    });
  });
  const metadata = encode({
    node_count: nodes.length,
    record_size: RECORD_BITS,
    ip_version: ipVersion,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(Math.floor(builtMs / 1000)),
    database_type: type,
    languages: ['en'],
    description: { en: 'A database that a test has drawn' },
  });
  return Buffer.concat([tree, SEPARATOR, ...records, MARKER, metadata]);
}

function insert(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    if (node[bit] === undefined) node[bit] = [undefined, undefined];
    node = node[bit] as Node;
  }
  node[bits.at(-1)!] = offset;
}

function nodesOf(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) for (const next of node) if (Array.isArray(next)) nodes.push(next);
  return nodes;
}

function bitsOf(cidr: string, ipVersion: 4 | 6): number[] {
  const [address, length] = cidr.split('/');
  if (isIPv4(address)) {
    const bits = address.split('.').flatMap(part => bitsOfNumber(Number(part), 8));
    const before = ipVersion === 6 ? Array<number>(96).fill(0) : [];
    return [...before, ...bits.slice(0, Number(length))];
  }
  const [left, right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)));
  const [head, tail] = [groups(left), groups(right)];
  const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return all.flatMap(group => bitsOfNumber(group, 16)).slice(0, Number(length));
}

function bitsOfNumber(number: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (number >> (count - 1 - i)) & 1);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return field(2, Buffer.from(value));
  if (typeof value === 'boolean') return head(BOOLEAN, value ? 1 : 0);
  if (typeof value === 'bigint') return field(UINT64, bytesOf(value));
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= 0) return field(value < 65_536 ? UINT16 : UINT32, bytesOf(BigInt(value)));
    const double = Buffer.alloc(8);
    double.writeDoubleBE(value);
    return field(3, double);
  }
  if (Array.isArray(value)) return Buffer.concat([head(ARRAY, value.length), ...value.map(encode)]);
  const members = Object.entries(value);
  return Buffer.concat([head(MAP, members.length), ...members.flat().map(encode)]);
}

/** Without leading zeros. */
function bytesOf(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

const field = (type: number, bytes: Buffer): Buffer => Buffer.concat([head(type, bytes.length), bytes]);

/** Type and length; 29 says that another byte of the length follows. */
function head(type: number, length: number): Buffer {
  const [short, more] = length < 29 ? [length, []] : [29, [length - 29]];
  return Buffer.from(type < 8 ? [(type << 5) | short, ...more] : [short, type - 7, ...more]);
}
