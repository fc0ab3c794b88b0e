// What the first pass keeps of relations: the ways of areas, the nodes that represent boundaries, and the houses of
// streets.

import { OSM_NODE, OSM_RELATION, OSM_WAY } from '../../../tables/places/place.ts';
import type { FeatureClass, OsmMember, OsmRelation, ReadOsmOptions, Tags } from './features.ts';

/** Roles of members that describe an area but are not its border. */
const NO_BORDER = ['label', 'admin_centre', 'subarea'];
/** Roles of the border. Ways with other roles may be part of it by a mapper's mistake. */
const BORDER = ['outer', 'inner', 'exclave', 'enclave', ''];

/** A relation whose ways enclose something. */
export interface AreaRelation {
  id: number;
  version: number;
  tags: Tags;
  featureClass: FeatureClass;
  /** Ways that are or may be its border, each once even if the relation lists it twice. */
  wayIds: Float64Array;
  /** 1 if the role says that the way is border. */
  isBorder: Uint8Array;
  /** Place of its file in the order of the options. */
  file: number;
}

/** Relations of all files, each in its newest version. */
export class RelationTable {
  count = 0;
  readonly areas = new Map<number, AreaRelation>();
  readonly boundaries = new Map<number, OsmRelation>();
  readonly streets = new Map<number, OsmRelation>();
  private readonly versions = new Map<number, number>();
  private readonly wants: ReadOsmOptions['wants'];

  constructor(wants: ReadOsmOptions['wants']) {
    this.wants = wants;
  }

  /** @param file its place in the order of the options */
  add(id: number, version: number, tags: Tags, members: OsmMember[], file: number): void {
    this.count++;
    const kind = tags.type;
    const isArea = kind === 'multipolygon' || kind === 'boundary';
    const isStreet = kind === 'associatedStreet' || kind === 'street';
    const known = this.versions.get(id);
    if (known === undefined ? !isArea && !isStreet : known >= version) return;
    this.versions.set(id, version);
    this.areas.delete(id);
    this.boundaries.delete(id);
    this.streets.delete(id);
    if (isStreet) this.streets.set(id, { id, tags, members });
    if (isArea) this.addArea(id, version, tags, members, file);
  }

  /** Ids of the ways that areas need, ascending and distinct. */
  wayIds(): Float64Array {
    let count = 0;
    for (const { wayIds } of this.areas.values()) count += wayIds.length;
    const all = new Float64Array(count);
    let at = 0;
    for (const { wayIds } of this.areas.values()) {
      all.set(wayIds, at);
      at += wayIds.length;
    }
    all.sort();
    return all.filter((id, i) => i === 0 || id !== all[i - 1]);
  }

  private addArea(id: number, version: number, tags: Tags, members: OsmMember[], file: number): void {
    const featureClass = this.wants(OSM_RELATION, tags, true);
    if (featureClass === undefined) return;
    const named = members.filter(
      ({ type, role }) => type === OSM_NODE && (role === 'label' || role === 'admin_centre'),
    );
    if (named.length > 0) this.boundaries.set(id, { id, tags, members: named });
    const roles = new Map<number, string>();
    for (const member of members) {
      if (member.type === OSM_WAY && !NO_BORDER.includes(member.role) && !roles.has(member.id))
        roles.set(member.id, member.role);
    }
    const wayIds = Float64Array.from(roles.keys());
    const isBorder = Uint8Array.from(roles.values(), role => (BORDER.includes(role) ? 1 : 0));
    this.areas.set(id, { id, version, tags, featureClass, wayIds, isBorder, file });
  }
}
