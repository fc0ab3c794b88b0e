// Reads building models from IMDF archives: the Indoor Mapping Data Format, a community standard of the OGC
// (docs.ogc.org/cs/20-094). An archive is a ZIP file of GeoJSON collections, one for each type of feature, that refer
// to one another by their ids:
//
//   building    its name; has no geometry of its own
//   footprint   its area; where there are several, those on the ground count before what lies above or below
//   level a floor: its outline, `ordinal` with 0 on the ground, `short_name`, and the buildings that it belongs to
//   unit a part of a level: a room, if it has a name, or if an occupant is anchored in it that has one; stairs, if its
//   category says so
//   opening     a line at which one can pass from unit to unit
//
// Its ids are UUIDs, which the interface has no members for, so such buildings are answered by their names.

import { centreOf } from '../../../geo/centre.ts';
import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { isInside } from '../../../geo/rings.ts';
import { type ArchiveEntry, openArchive } from '../../../transfer/files/zip_archive.ts';
import type { Rings } from '../../tables/buildings/building.ts';
import { BuildingDraft } from './building_draft.ts';
import { forEachFeature, type GeoJsonFeature, linesOf, readFeatures, ringsOf, shown } from './geometry.ts';

/** Of footprints, what is at the ground first. */
const FOOTPRINT_CATEGORIES = ['ground', 'aerial', 'subterranean'];
/** Of units, those by which one changes floor. */
const STAIRS_CATEGORIES = ['elevator', 'escalator', 'ramp', 'stairs', 'steps'];
/** A collection is read as one text. */
const COLLECTION_BYTES_MAX = 256 * 1_048_576;
const TEXT_CHARACTERS_MAX = 200;
const UNNAMED = '';

type Types = 'building' | 'footprint' | 'level' | 'unit' | 'opening' | 'occupant' | 'anchor';

/** A building and where it stands. */
interface PlacedDraft {
  draft: BuildingDraft;
  footprint: Rings;
}

/** A level with the buildings that it is a floor of. */
interface Level {
  index: number;
  drafts: PlacedDraft[];
}

/**
 * Reads the buildings of an archive.
 * @param onFeatures called with the number of features read so far
 * @throws Error that names file, feature and member
 */
export async function readImdf(path: string, onFeatures: (done: number) => void): Promise<BuildingDraft[]> {
  const archive = await openArchive(path);
  try {
    return await new ImdfReading(path, archive.entries, onFeatures).run();
  } finally {
    archive.close();
  }
}

class ImdfReading {
  private readonly path: string;
  private readonly entries: readonly ArchiveEntry[];
  private readonly onFeatures: (done: number) => void;
  private language = 'en';
  private done = 0;

  constructor(path: string, entries: readonly ArchiveEntry[], onFeatures: (done: number) => void) {
    this.path = path;
    this.entries = entries;
    this.onFeatures = onFeatures;
  }

  async run(): Promise<BuildingDraft[]> {
    const manifest = this.entry('manifest.json');
    if (manifest === undefined || this.entry('level.geojson') === undefined)
      throw new Error(
        `${this.path} is no IMDF archive: it lacks ${manifest === undefined ? 'manifest.json' : 'level.geojson'}.`,
      );
    this.language = languageOf(manifest.fullName, await textOf(manifest));
    const buildings = await this.readBuildings();
    const levels = await this.readLevels(buildings);
    const occupants = await this.readOccupants();
    await this.each('unit', feature => {
      const name = this.label(feature, 'name') || (occupants.get(String(feature.id)) ?? UNNAMED);
      const { index, drafts } = levelOf(levels, feature);
      const isStairs = STAIRS_CATEGORIES.includes(String(feature.properties?.category));
      if (name === UNNAMED && !isStairs) return;
      const rings = ringsOf(feature.geometry);
      const owner = ownerOf(drafts, rings);
      if (name !== UNNAMED) owner?.addRoom(index, name, rings);
      if (isStairs) owner?.addLines(index, 'stairs', rings);
    });
    await this.each('opening', feature => {
      const { index, drafts } = levelOf(levels, feature);
      const lines = linesOf(feature.geometry, false);
      ownerOf(drafts, lines)?.addLines(index, 'doors', lines);
    });
    return [...buildings.values()].map(({ draft }) => draft);
  }

  private async readBuildings(): Promise<Map<string, PlacedDraft>> {
    const names = new Map<string, string>();
    await this.each('building', feature => names.set(idOf(feature), this.label(feature, 'name')));
    const footprints: { ids: string[]; category: unknown; rings: Rings }[] = [];
    await this.each('footprint', feature => {
      const category = feature.properties?.category;
      footprints.push({ ids: idsOf(feature, names), category, rings: ringsOf(feature.geometry) });
    });
    const buildings = new Map<string, PlacedDraft>();
    for (const [id, name] of names) {
      const all = footprints.filter(({ ids }) => ids.includes(id));
      // Those of several categories lie above each other.
      const category = FOOTPRINT_CATEGORIES.find(each => all.some(one => one.category === each));
      const footprint = all
        .filter(one => category === undefined || one.category === category)
        .flatMap(({ rings }) => rings);
      try {
        if (footprint.length === 0) throw new Error('it has no footprint in footprint.geojson');
        buildings.set(id, {
          draft: new BuildingDraft({ modelId: undefined, buildingId: undefined, name }, footprint),
          footprint,
        });
      } catch (error) {
        throw new Error(`${this.path}, building ${id}: ${(error as Error).message}.`, { cause: error });
      }
    }
    return buildings;
  }

  private async readLevels(buildings: Map<string, PlacedDraft>): Promise<Map<string, Level>> {
    const levels = new Map<string, Level>();
    await this.each('level', feature => {
      const ordinal = feature.properties?.ordinal;
      if (!Number.isInteger(ordinal) || (ordinal as number) < FLOOR_INDEX_MIN || (ordinal as number) > FLOOR_INDEX_MAX)
        throw new Error(
          `properties.ordinal must be a whole number from ${FLOOR_INDEX_MIN} to ${FLOOR_INDEX_MAX}, not ` +
            `${shown(ordinal)}`,
        );
      const index = ordinal as number;
      // A level of no building is outdoors, and so is one that says so.
      const ids = feature.properties?.outdoor === true ? [] : idsOf(feature, buildings);
      const drafts = ids.map(id => buildings.get(id)!);
      const label = this.label(feature, 'short_name') || this.label(feature, 'name');
      for (const { draft } of drafts) {
        draft.setLabel(index, label);
        draft.addOutline(index, ringsOf(feature.geometry));
      }
      levels.set(idOf(feature), { index, drafts });
    });
    return levels;
  }

  /** Names of occupants by the unit in which they are anchored. */
  private async readOccupants(): Promise<ReadonlyMap<string, string>> {
    const anchors = new Map<string, string>();
    await this.each('anchor', feature => anchors.set(idOf(feature), String(feature.properties?.unit_id)));
    const names = new Map<string, string>();
    await this.each('occupant', feature => {
      const unit = anchors.get(String(feature.properties?.anchor_id));
      if (unit !== undefined && !names.has(unit)) names.set(unit, this.label(feature, 'name'));
    });
    return names;
  }

  /** Reads each feature of a type; a file that is not there has none. */
  private async each(type: Types, read: (feature: GeoJsonFeature) => void): Promise<void> {
    const entry = this.entry(`${type}.geojson`);
    if (entry === undefined) return;
    forEachFeature(entry.fullName, readFeatures(entry.fullName, await textOf(entry)), feature => {
      read(feature);
      this.onFeatures(++this.done);
    });
  }

  /** Archives have their files at the top; some programs put them into one folder. */
  private entry(name: string): ArchiveEntry | undefined {
    return (
      this.entries.find(entry => entry.name === name) ??
      this.entries.find(entry => /^[^/]+\//.test(entry.name) && entry.name.endsWith(`/${name}`))
    );
  }

  /** A label in the language of the archive, else in English, else in any; empty where there is none. */
  private label({ properties }: GeoJsonFeature, member: string): string {
    const labels = properties?.[member] ?? undefined;
    if (labels === undefined) return UNNAMED;
    if (typeof labels !== 'object')
      throw new Error(`properties.${member} must be labels by language, not ${shown(labels)}`);
    const byLanguage = new Map(Object.entries(labels as object));
    const label = byLanguage.get(this.language) ?? byLanguage.get('en') ?? byLanguage.values().next().value ?? UNNAMED;
    if (typeof label !== 'string' || /\p{Cc}/u.test(label) || label.length > TEXT_CHARACTERS_MAX)
      throw new Error(
        `properties.${member} must be a text of at most ${TEXT_CHARACTERS_MAX} printable characters, not ` +
          `${shown(label)}`,
      );
    return label.trim();
  }
}

function languageOf(name: string, text: string): string {
  try {
    const { language } = JSON.parse(text) as { language?: unknown };
    return typeof language === 'string' ? language : 'en';
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`);
  }
}

async function textOf(entry: ArchiveEntry): Promise<string> {
  if (entry.inflatedBytes > COLLECTION_BYTES_MAX)
    throw new Error(
      `${entry.fullName} takes ${entry.inflatedBytes} bytes, and at most ${COLLECTION_BYTES_MAX} are read.`,
    );
  const chunks: Buffer[] = [];
  for await (const chunk of await entry.open()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function idOf({ id }: GeoJsonFeature): string {
  if (typeof id !== 'string') throw new Error('id is missing');
  return id;
}

/** Ids of the buildings that a feature refers to; without the member none. */
function idsOf({ properties }: GeoJsonFeature, known: ReadonlyMap<string, unknown>): string[] {
  const ids = properties?.building_ids ?? [];
  if (!Array.isArray(ids)) throw new Error(`properties.building_ids must be a list of ids, not ${shown(ids)}`);
  const unknown = ids.find(id => !known.has(id));
  if (unknown !== undefined)
    throw new Error(`properties.building_ids names ${shown(unknown)}, which is no building of the archive`);
  return ids;
}

function levelOf(levels: ReadonlyMap<string, Level>, { properties }: GeoJsonFeature): Level {
  const id = properties?.level_id;
  const level = levels.get(String(id));
  if (level === undefined) throw new Error(`properties.level_id names ${shown(id)}, which is no level of the archive`);
  return level;
}

/**
 * The building in which something of a level stands: of several that share the level, the one around it, else the
 * first.
 */
function ownerOf(drafts: readonly PlacedDraft[], lines: readonly Int32Array[]): BuildingDraft | undefined {
  if (drafts.length < 2) return drafts[0]?.draft;
  const [x, y] = lines[0].length > 4 ? centreOf(lines) : [lines[0][0], lines[0][1]];
  return (drafts.find(({ footprint }) => isInside(footprint, x, y)) ?? drafts[0]).draft;
}
