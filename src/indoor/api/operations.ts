// The routes of the admin interface about buildings.

import { COVERAGE_QUERIES } from '../../api/admin/coverage_schemas.ts';
import { orRefuse } from '../../api/admin/jobs.ts';
import type { AdminRequest, Routes } from '../../api/admin/operation.ts';
import { BODIES } from '../../api/admin/schemas.ts';
import { Refused } from '../../api/console/refused.ts';
import { listBuildings } from '../jobs/change_buildings.ts';
import { listBuildingModels, radiosNamed, showBuilding, showLevels } from '../tasks/shown_buildings.ts';

/** Routes, in the order of the document. */
export const OPERATIONS: Routes = {
  'GET /buildings': {
    name: 'listBuildings',
    summary: 'Imports of building models, by name',
    success: [200, 'A list.', 'Buildings'],
    read: async folder => ({ buildings: await listBuildings(folder) }),
  },
  'POST /buildings/remove': {
    name: 'removeBuildings',
    summary: 'Take an import of building models out',
    body: BODIES.named,
    success: [202, 'The job, which has begun.', 'Job'],
    isLong: true,
    job: ({ body }) => ({ verb: 'buildings', action: 'remove', name: body.name! }),
  },
  'GET /buildings/models': {
    name: 'listBuildingModels',
    summary: 'The buildings themselves, a thousand at a time',
    query: COVERAGE_QUERIES.after,
    success: [200, 'A list, and the id after which the next page begins.', 'BuildingModels'],
    read: (folder, { query: { after = '0' } }) => listBuildingModels(folder, Number(after)),
  },
  'GET /buildings/{id}': {
    name: 'showBuilding',
    summary: 'A building with its floors, rooms, walls, doors and stairs',
    success: [200, 'GeoJSON, in the form in which models are imported.', 'Building'],
    read: async (folder, { id }) => (await showBuilding(folder, id)) ?? missing(`There is no building ${id}.`),
  },
  'GET /buildings/{id}/levels': {
    name: 'showLevels',
    summary: 'What the fingerprint map of a building knows of a radio on a floor',
    query: COVERAGE_QUERIES.levels,
    success: [200, 'The places of the floor, and the radios that are heard there.', 'Levels'],
    read: showLevelsOf,
  },
};

async function showLevelsOf(folder: string, { id, query: { floor, radio } }: AdminRequest): Promise<object> {
  const numbers = radio === undefined ? [] : orRefuse(400, () => radiosNamed(radio));
  const levels = await showLevels(folder, id, Number(floor), numbers);
  return levels ?? missing(`There is no building ${id} with a fingerprint map.`);
}

function missing(message: string): never {
  throw new Refused(404, message);
}
