// A drawn town, 20 by 20 km: who lives where, which routers and devices stand there, and what is known of the town in
// public. Everything follows from a seed.
//
// The public lists are access points, beacons and cells with their positions, which the operator has imported and which
// anybody can have: clusters of three access points 700 m apart, and six districts with one each fifty metres along the
// streets. They also name the demo town that each new folder has.
//
// The victims are 200 addresses. Most are routers of homes, some of which have a second address: of another band or
// network. Some are Bluetooth devices, mostly two of one person. Ten of them live in or beside an office building,
// which has a plan and a survey.

import { formatMac } from '../../src/radio/mac.ts';
import { moved, type Position } from '../kits/radio/ground.ts';
import { normal, shuffled, uniform } from '../kits/random.ts';
import { addFirms } from './firms.ts';

/** What the honest accounts have done with a victim's address. */
export type VictimKind =
  /** A router that its owner and a neighbour have reported. */
  | 'known'
  /** A router that its owner alone has reported. */
  | 'half-known'
  /** A router that its owner reports for the first time while somebody searches. */
  | 'new'
  /** A Bluetooth device that two accounts have reported. */
  | 'bluetooth';

/** How the second address of a router differs from its first. */
export type SiblingForm = 'last octet' | 'fourth octet' | 'first octet' | 'two octets';

/** A router or a device that somebody looks for. */
export interface Victim {
  kind: VictimKind;
  address: string;
  home: Position;
  sibling?: { form: SiblingForm; address: string };
  /** Addresses of other homes around it. */
  neighbours: string[];
  /** The office building's survey or its visitors have heard it. */
  isInBuilding: boolean;
  /** Number of its owner, for devices of one person. */
  person?: number;
  /** What there is of a firm around it (firms.ts). */
  setting?: 'office' | 'shop';
}

/** An access point or a beacon of a public list. */
export interface PublicPoint {
  address: string;
  at: Position;
  /** Metres that hold half of the positions where it is heard. */
  radius: number;
}

/** A cell of a public list. */
export interface PublicCell {
  cellId: number;
  at: Position;
}

/** The town as it is. */
export interface Town {
  seed: number;
  points: PublicPoint[];
  beacons: PublicPoint[];
  cells: PublicCell[];
  victims: Victim[];
  building: { southWest: Position; points: PublicPoint[]; own: PublicPoint[] };
}

/** The middle of the town. */
export const MIDDLE: Position = [50.05, 9.95];
/** Metres from the middle to each side. */
export const HALF_METRES = 10_000;
/** The office building, metres. */
export const BUILDING_METRES: readonly [east: number, north: number] = [60, 40];

const CLUSTERS = 29;
const CLUSTER_SPACING_METRES = 700;
const DISTRICTS = 6;
const DISTRICT_METRES = 1_200;
const STREET_SPACING_METRES = 100;
const HOUSE_SPACING_METRES = 50;
const BEACONS = 40;
const CELL_SPACING_METRES = 4_000;
const KNOWN = 110;
const HALF_KNOWN = 45;
const NEW = 15;
const PERSONS = 12;
const LONE_DEVICES = 6;
const ROUTERS_IN_BUILDING = 6;
const DEVICES_IN_BUILDING = 4;
const SIBLING_SHARE = 0.7;
const FORMS: readonly SiblingForm[] = ['last octet', 'fourth octet', 'first octet', 'two octets'];

/** First three octets of addresses, as vendors of routers and of portable devices have them. */
const ROUTER_VENDORS = [
  0x3ca62f, 0x444e6d, 0xe0286d, 0x5c4979, 0xf4f26d, 0x50c7bf, 0x9c3dcf, 0x704f57, 0x24a43c, 0x1c740d,
];
const POINT_VENDORS = [0x001a1e, 0x00259c, 0x24de66, 0x6cf37f, 0x88154e];
const DEVICE_VENDORS = [0x4c875d, 0x9c64a3, 0xd0034b, 0xe4e0a6, 0x7c96d2];

/** Draws the town of a seed. */
export function drawTown(seed: number): Town {
  const random = uniform(seed);
  const addresses = new Addresses(random);
  const points = drawPoints(addresses, random);
  const southWest = somewhere(random);
  const building = {
    southWest,
    points: [10, 30, 50].map(east => point(addresses.next(POINT_VENDORS), moved(southWest, east, 20), 30)),
    own: [5, 20, 35, 50].map(east => point(addresses.next(POINT_VENDORS), moved(southWest, east, 30), 30)),
  };
  points.push(...building.points);
  const beacons = Array.from({ length: BEACONS }, () => point(addresses.next(POINT_VENDORS), somewhere(random), 8));
  const victims = shuffled(
    [...drawRouters(addresses, random, southWest), ...drawDevices(addresses, random, southWest)],
    random,
  );
  const town: Town = { seed, points, beacons, cells: drawCells(), victims, building };
  addFirms(town);
  return town;
}

/** A place in the town. */
export function somewhere(random: () => number): Position {
  return moved(MIDDLE, (2 * random() - 1) * HALF_METRES, (2 * random() - 1) * HALF_METRES);
}

function drawPoints(addresses: Addresses, random: () => number): PublicPoint[] {
  const points: PublicPoint[] = [];
  const first = (-(CLUSTERS - 1) / 2) * CLUSTER_SPACING_METRES;
  for (let cluster = 0; cluster < CLUSTERS ** 2; cluster++) {
    const east = first + (cluster % CLUSTERS) * CLUSTER_SPACING_METRES;
    const north = first + Math.floor(cluster / CLUSTERS) * CLUSTER_SPACING_METRES;
    for (let each = 0; each < 3; each++) points.push(around(moved(MIDDLE, east, north), 15));
  }
  for (let district = 0; district < DISTRICTS; district++) {
    const corner = somewhere(random);
    for (let north = 0; north < DISTRICT_METRES; north += STREET_SPACING_METRES)
      for (let east = 0; east < DISTRICT_METRES; east += HOUSE_SPACING_METRES)
        points.push(around(moved(corner, east, north), 8));
  }
  return points;

  function around(at: Position, metres: number): PublicPoint {
    const bell = normal(random);
    // Most are heard in a street, some on a square.
    const radius = random() < 0.1 ? 90 + 110 * random() : 25 + 35 * random();
    return point(addresses.next(POINT_VENDORS), moved(at, bell() * metres, bell() * metres), Math.round(radius));
  }
}

function point(address: number, at: Position, radius: number): PublicPoint {
  return { address: formatMac(address), at, radius };
}

function drawRouters(addresses: Addresses, random: () => number, building: Position): Victim[] {
  return Array.from({ length: KNOWN + HALF_KNOWN + NEW }, (_, i): Victim => {
    const isInBuilding = i < ROUTERS_IN_BUILDING;
    const home = isInBuilding
      ? moved(building, random() * BUILDING_METRES[0], random() * BUILDING_METRES[1])
      : somewhere(random);
    const address = addresses.next(ROUTER_VENDORS);
    const form = FORMS[i % FORMS.length];
    return {
      kind: i < KNOWN ? 'known' : i < KNOWN + HALF_KNOWN ? 'half-known' : 'new',
      address: formatMac(address),
      home,
      ...(random() < SIBLING_SHARE ? { sibling: { form, address: formatMac(siblingOf(address, form, random)) } } : {}),
      neighbours: Array.from({ length: 2 + Math.floor(2 * random()) }, () => formatMac(addresses.next(ROUTER_VENDORS))),
      isInBuilding,
    };
  });
}

/** Another address of the device. */
function siblingOf(address: number, form: SiblingForm, random: () => number): number {
  const step = 1 + Math.floor(8 * random());
  if (form === 'first octet') return address + 2 * 2 ** 40;
  const last = withOctet(address, 0, octet(address, 0) + step);
  if (form === 'last octet') return last;
  const fourth = withOctet(address, 2, octet(address, 2) + 16 * step);
  return form === 'fourth octet' ? fourth : withOctet(fourth, 0, octet(address, 0) + step);
}

/** An octet of an address, the last one is 0. */
export function octet(address: number, index: number): number {
  return Math.floor(address / 256 ** index) % 256;
}

/** The address with another octet. */
export function withOctet(address: number, index: number, value: number): number {
  return address + ((((value % 256) + 256) % 256) - octet(address, index)) * 256 ** index;
}

function drawDevices(addresses: Addresses, random: () => number, building: Position): Victim[] {
  const owners = [
    ...Array.from({ length: PERSONS }, (_, person) => [person, person]).flat(),
    ...Array.from({ length: LONE_DEVICES }, () => undefined),
  ];
  const homes = Array.from({ length: PERSONS }, () => somewhere(random));
  return owners.map((person, i): Victim => {
    // Visitors of the building, each with one device.
    const isInBuilding = i >= owners.length - DEVICES_IN_BUILDING;
    const home = isInBuilding
      ? moved(building, random() * BUILDING_METRES[0], random() * BUILDING_METRES[1])
      : person === undefined
        ? somewhere(random)
        : homes[person];
    const vendor = DEVICE_VENDORS[i % DEVICE_VENDORS.length];
    return {
      kind: 'bluetooth',
      address: formatMac(addresses.next([vendor])),
      home,
      neighbours: [],
      isInBuilding,
      ...(person === undefined ? {} : { person }),
    };
  });
}

function drawCells(): PublicCell[] {
  const cells: PublicCell[] = [];
  for (let north = -HALF_METRES; north <= HALF_METRES; north += CELL_SPACING_METRES)
    for (let east = -HALF_METRES; east <= HALF_METRES; east += CELL_SPACING_METRES)
      cells.push({ cellId: 256_000 * (1 + cells.length) + 1, at: moved(MIDDLE, east, north) });
  return cells;
}

/** Draws addresses, no two of them alike. */
class Addresses {
  private readonly random: () => number;
  private readonly given = new Set<number>();

  constructor(random: () => number) {
    this.random = random;
  }

  /** A new address of one of these vendors. */
  next(vendors: readonly number[]): number {
    const vendor = vendors[Math.floor(this.random() * vendors.length)];
    const address = vendor * 2 ** 24 + Math.floor(this.random() * 2 ** 24);
    if (this.given.has(address)) return this.next(vendors);
    this.given.add(address);
    return address;
  }
}
