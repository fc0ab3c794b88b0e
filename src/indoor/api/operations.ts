// The routes of the admin interface about buildings.

import { orRefuse } from '../../api/admin/jobs.ts';
import { groupOf, route } from '../../api/admin/operation.ts';
import { COUNT, closed, FLAG, ID, listOf, NAMED, NUMBER, open, TEXT, TIME } from '../../api/admin/schema_parts.ts';
import { Refused } from '../../api/transport/refused.ts';
import { listBuildings } from '../jobs/change_buildings.ts';
import { listBuildingModels, radiosNamed, showBuilding, showLevels } from '../tasks/shown_buildings.ts';

const PLACE = { latitude: NUMBER, longitude: NUMBER };
const NAMES_OF_BUILDING = { 'buildingModelId?': COUNT, 'buildingId?': COUNT };

const ANSWERS = {
  Buildings: open({
    buildings: listOf(open({ name: TEXT, buildings: COUNT, floors: COUNT, rooms: COUNT, importedAt: TIME })),
  }),
  BuildingModels: open({
    buildings: listOf(open({ id: ID, name: TEXT, ...NAMES_OF_BUILDING, ...PLACE, floors: COUNT, hasMap: FLAG })),
    'next?': ID,
  }),
  Building: open({
    type: { const: 'FeatureCollection' },
    features: listOf(
      open({ type: { const: 'Feature' }, properties: { type: 'object' }, geometry: { type: 'object' } }),
    ),
  }),
  Levels: open({
    floor: { type: 'integer' },
    radios: listOf(open({ radio: TEXT, kind: { enum: ['wifi', 'bluetooth', 'beacon'] }, places: COUNT })),
    places: {
      ...listOf(open({ ...PLACE, 'levelDbm?': NUMBER })),
      description: 'Places of the floor; with a level where the radio was heard.',
    },
  }),
} as const;

/** The group. */
export const BUILDINGS = groupOf(ANSWERS, [
  route('GET /buildings', {
    name: 'listBuildings',
    summary: 'Imports of building models, by name',
    success: [200, 'A list.', 'Buildings'],
    answer: async ({ folder }) => ({ buildings: await listBuildings(folder) }),
  }),
  route('POST /buildings/remove', {
    name: 'removeBuildings',
    summary: 'Take an import of building models out',
    body: NAMED,
    success: [202, 'The job, which has begun.', 'Job'],
    answer: ({ jobs }, { body: { name } }) => jobs.begin({ verb: 'buildings', action: 'remove', name }),
  }),
  route('GET /buildings/models', {
    name: 'listBuildingModels',
    summary: 'The buildings themselves, a thousand at a time',
    query: closed({
      'after?': {
        type: 'string',
        pattern: '^\\d{1,9}$',
        'x-must': 'the id of a building',
        description: 'Id of the last building seen.',
      },
    }),
    success: [200, 'A list, and the id after which the next page begins.', 'BuildingModels'],
    answer: ({ folder }, { query: { after } }) => listBuildingModels(folder, Number(after ?? 0)),
  }),
  route('GET /buildings/{id}', {
    name: 'showBuilding',
    summary: 'A building with its floors, rooms, walls, doors and stairs',
    success: [200, 'GeoJSON, in the form in which models are imported.', 'Building'],
    answer: async ({ folder }, { id }) => (await showBuilding(folder, id)) ?? missing(`There is no building ${id}.`),
  }),
  route('GET /buildings/{id}/levels', {
    name: 'showLevels',
    summary: 'What the fingerprint map of a building knows of a radio on a floor',
    query: closed({
      floor: {
        type: 'string',
        pattern: '^-?\\d{1,3}$',
        'x-must': 'a whole number',
        description: 'Index of the floor; 0 is the ground level.',
      },
      'radio?': {
        type: 'string',
        minLength: 1,
        maxLength: 60,
        description: 'A radio as the answer names it, or any address of it; without one there are places only.',
      },
    }),
    success: [200, 'The places of the floor, and the radios that are heard there.', 'Levels'],
    answer: ({ folder }, { id, query: { floor, radio } }) => showLevelsOf(folder, id, Number(floor), radio),
  }),
]);

async function showLevelsOf(folder: string, id: number, floor: number, radio: string | undefined): Promise<object> {
  const numbers = radio === undefined ? [] : orRefuse(400, () => radiosNamed(radio));
  const levels = await showLevels(folder, id, floor, numbers);
  return levels ?? missing(`There is no building ${id} with a fingerprint map.`);
}

function missing(message: string): never {
  throw new Refused(404, message);
}
