// A drawn map that changes: towns with a border, streets, houses, buildings with a shop in them, and streets as
// relations. Each kind of change is drawn by itself, and the map then has it.

import { uniform } from '../random.ts';
import type { DrawnChange } from './osm_changes.ts';
import type { DrawnNode, DrawnObject, DrawnRelation, DrawnWay } from './osm_pbf.ts';

const TOWNS_WIDE = 6;
const TOWN_DEGREES = 0.03;
const STREETS = 8;
const HOUSES = 6;

type Kind = keyof typeof KINDS;
type Draft = Omit<DrawnNode, 'id'> | Omit<DrawnWay, 'id'> | Omit<DrawnRelation, 'id'>;

/** Kinds of changes, and how one is drawn. */
const KINDS = {
  'node created': map => map.create(map.house(map.drawnTown())),
  'node modified': map => map.retag(map.draw('node', hasTag('addr:housenumber')), tags => renumbered(tags, map)),
  'node deleted': map => map.remove(map.draw('node', () => true)),
  'way created': map => map.createStreet(map.drawnTown()),
  'way modified': map =>
    map.retag(map.draw('way', hasTag('building')), tags => ({ ...tags, 'addr:housenumber': '77' })),
  'way deleted': map => map.remove(map.draw('way', () => true)),
  'relation created': map => map.create(map.streetOf([map.draw('way', hasTag('highway')).id])),
  'relation modified': map => map.regroup(map.draw('relation', hasTag('type'))),
  'relation deleted': map => map.remove(map.draw('relation', () => true)),
  'street renamed': map => map.retag(map.draw('way', hasTag('highway')), tags => ({ ...tags, name: map.name('New') })),
  'house moved': map => map.move(map.draw('node', hasTag('addr:housenumber')), TOWN_DEGREES / 4),
  'place deleted': map => map.remove(map.draw('node', ({ tags }) => tags !== undefined)),
  'border changed': map => map.move(map.nodeOf('boundary'), TOWN_DEGREES / 5),
  'road moved': map => map.move(map.nodeOf('highway'), TOWN_DEGREES / 10),
  'road shortened': map => map.shorten(map.draw('way', hasTag('highway'))),
  'made no place': map =>
    map.retag(
      map.draw('node', ({ tags }) => tags !== undefined),
      () => ({ note: 'gone' }),
    ),
  'postcode changed': map =>
    map.retag(map.draw('node', hasTag('addr:postcode')), tags => ({
      ...tags,
      'addr:postcode': `${map.number(9000, 99)}`,
    })),
} satisfies Record<string, (map: ChangingMap) => DrawnChange[]>;

/** The kinds of changes. */
export const CHANGE_KINDS = Object.keys(KINDS) as Kind[];

/** The map as it is now. */
export class ChangingMap {
  private readonly random: () => number;
  private readonly objects = { node: new Map(), way: new Map(), relation: new Map() } as Record<
    DrawnObject['type'],
    Map<number, DrawnObject>
  >;
  private readonly towns: { lat: number; lon: number; number: number }[] = [];
  private lastId = 100;

  constructor(seed: number, towns: number) {
    this.random = uniform(seed);
    for (let number = 0; number < towns; number++) this.addTown(number);
  }

  /** All objects as in a sorted extract. */
  sorted(): DrawnObject[] {
    return Object.values(this.objects).flatMap(map => [...map.values()].sort((a, b) => a.id - b.id));
  }

  /** Draws changes, in the order in which they were made. */
  change(kind: Kind): DrawnChange[] {
    return KINDS[kind](this);
  }

  number(from: number, count: number): number {
    return from + Math.floor(this.random() * count);
  }

  name(kind: string): string {
    return `${kind} ${['Alder', 'Birch', 'Cedar', 'Durmast', 'Elm & Oak'][this.number(0, 5)]} ${this.number(0, 40)}`;
  }

  drawnTown() {
    return this.towns[this.number(0, this.towns.length)];
  }

  /** An object of a type; the map must have one. */
  draw<T extends DrawnObject['type']>(type: T, isWanted: (object: DrawnObject) => boolean) {
    const all = [...this.objects[type].values()].filter(isWanted);
    return all[this.number(0, all.length)] as Extract<DrawnObject, { type: T }>;
  }

  /** A node of a way with a tag that is still there. */
  nodeOf(key: string): DrawnNode {
    const isThere = (id: number) => this.objects.node.has(id);
    const way = this.draw('way', object => hasTag(key)(object) && (object as DrawnWay).nodes.some(isThere));
    const ids = way.nodes.filter(isThere);
    return this.objects.node.get(ids[this.number(0, ids.length)]) as DrawnNode;
  }

  create(draft: Draft): DrawnChange[] {
    return [{ action: 'create', object: this.add(draft) }];
  }

  createStreet(town: { lat: number; lon: number }): DrawnChange[] {
    const nodes = [0, 1, 2].map(() => this.add(this.point(town)));
    const way = this.add({ type: 'way', nodes: nodes.map(({ id }) => id), tags: this.streetTags() });
    return [...nodes, way].map(object => ({ action: 'create', object }));
  }

  remove(object: DrawnObject): DrawnChange[] {
    this.objects[object.type].delete(object.id);
    return [{ action: 'delete', object: { ...object, version: object.version! + 1 } }];
  }

  retag(object: DrawnObject, tagsOf: (tags: Record<string, string>) => Record<string, string>): DrawnChange[] {
    return this.modify({ ...object, tags: tagsOf(object.tags ?? {}) });
  }

  move(node: DrawnNode, reach: number): DrawnChange[] {
    const by = () => round((this.random() - 0.5) * 2 * reach);
    return this.modify({ ...node, lat: round(node.lat + by()), lon: round(node.lon + by()) });
  }

  shorten(way: DrawnWay): DrawnChange[] {
    return this.modify({ ...way, nodes: way.nodes.length > 2 ? way.nodes.slice(1) : way.nodes });
  }

  /** Turns the members of a relation round, and adds one. */
  regroup(relation: DrawnRelation): DrawnChange[] {
    const house = this.draw('node', hasTag('addr:housenumber'));
    const members = [...relation.members].reverse();
    return this.modify({ ...relation, members: [...members, { type: 'node', ref: house.id, role: 'house' }] });
  }

  house(town: { lat: number; lon: number; number: number }): Omit<DrawnNode, 'id'> {
    const { random } = this;
    const tags: Record<string, string> = { 'addr:housenumber': `${this.number(1, 60)}` };
    if (random() < 0.8) tags['addr:street'] = this.name('Street');
    if (random() < 0.5) tags['addr:postcode'] = `${9000 + town.number}`;
    if (random() < 0.5) tags['addr:city'] = `Town ${town.number}`;
    if (random() < 0.2) Object.assign(tags, { shop: 'bakery', name: this.name('Bakery') });
    return { ...this.point(town), tags };
  }

  streetOf(ways: readonly number[]): Omit<DrawnRelation, 'id'> {
    const houses = [0, 1].map(() => this.draw('node', hasTag('addr:housenumber')).id);
    const members = [
      ...ways.map(ref => ({ type: 'way' as const, ref, role: 'street' })),
      ...houses.map(ref => ({ type: 'node' as const, ref, role: 'house' })),
    ];
    return { type: 'relation', members, tags: { type: 'associatedStreet', name: this.name('Street') } };
  }

  private modify(object: DrawnObject): DrawnChange[] {
    const changed = { ...object, version: object.version! + 1 };
    this.objects[object.type].set(object.id, changed);
    return [{ action: 'modify', object: changed }];
  }

  private add(draft: Draft): DrawnObject {
    const object = { ...draft, id: ++this.lastId, version: 1 } as DrawnObject;
    this.objects[object.type].set(object.id, object);
    return object;
  }

  private point({ lat, lon }: { lat: number; lon: number }): Omit<DrawnNode, 'id'> {
    const [y, x] = [this.random() - 0.5, this.random() - 0.5];
    return { type: 'node', lat: round(lat + y * TOWN_DEGREES), lon: round(lon + x * TOWN_DEGREES) };
  }

  private streetTags(): Record<string, string> {
    return { highway: this.random() < 0.9 ? 'residential' : 'footway', name: this.name('Street') };
  }

  private addTown(number: number): void {
    const lat = 47 + Math.floor(number / TOWNS_WIDE) * TOWN_DEGREES;
    const lon = 9 + (number % TOWNS_WIDE) * TOWN_DEGREES;
    const town = { lat, lon, number };
    this.towns.push(town);
    const name = `Town ${number}`;
    const centre = this.add({ type: 'node', lat, lon, tags: { place: 'town', name } });
    this.addBorder(town, centre.id, name);
    for (let i = 0; i < STREETS; i++) {
      const nodes = [0, 1, 2, 3].map(() => this.add(this.point(town)).id);
      const way = this.add({ type: 'way', nodes, tags: this.streetTags() });
      for (let j = 0; j < HOUSES; j++) this.add(this.house(town));
      if (i % 2 === 0) this.add(this.streetOf([way.id]));
      this.addBuilding(town);
    }
  }

  private addBorder({ lat, lon }: { lat: number; lon: number }, centre: number, name: string): void {
    const corners = [-1, 0, 1, 2].map(quarter => {
      const [y, x] = [Math.sin((quarter * Math.PI) / 2), Math.cos((quarter * Math.PI) / 2)];
      return this.add({ type: 'node', lat: round(lat + y * TOWN_DEGREES), lon: round(lon + x * TOWN_DEGREES) }).id;
    });
    const ways = corners.map((corner, i) =>
      this.add({ type: 'way', nodes: [corner, corners[(i + 1) % 4]], tags: { boundary: 'administrative' } }),
    );
    this.add({
      type: 'relation',
      members: [
        ...ways.map(({ id }) => ({ type: 'way' as const, ref: id, role: 'outer' })),
        { type: 'node', ref: centre, role: 'admin_centre' },
      ],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: '8', name },
    });
  }

  private addBuilding(town: { lat: number; lon: number; number: number }): void {
    const { lat, lon, tags } = this.house(town);
    const corner = (y: number, x: number) =>
      this.add({ type: 'node', lat: round(lat + y * 1e-4), lon: round(lon + x * 1e-4) }).id;
    const corners = [corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1)];
    this.add({ type: 'way', nodes: [...corners, corners[0]], tags: { building: 'yes', ...tags } });
    this.add({ type: 'node', lat, lon, tags: { amenity: 'cafe', name: this.name('Cafe') } });
  }
}

function hasTag(key: string): (object: DrawnObject) => boolean {
  return ({ tags }) => tags?.[key] !== undefined;
}

function renumbered(tags: Record<string, string>, map: ChangingMap): Record<string, string> {
  return { ...tags, 'addr:housenumber': `${map.number(60, 40)}` };
}

/** Degrees as the map has them. */
function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
