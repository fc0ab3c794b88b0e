// Positions in buildings: models of buildings, fingerprints in them, and what is made of both.

import { type Feature, late, REPLACED_SOURCE } from '../feature.ts';

/** The feature. */
export const INDOOR: Feature<'buildings' | 'fingerprints'> = {
  tables: [
    {
      name: 'buildings',
      open: late(async () => (await import('./tables/buildings/building_tables.ts')).openBuildings),
      openOrCreate: late(async () => (await import('./tables/buildings/building_tables.ts')).openOrCreateBuildings),
      check: late(async () => (await import('./tables/buildings/check.ts')).checkBuildings),
      change: late(async () => (await import('./jobs/change_buildings.ts')).changeBuildings),
      list: late(async () => (await import('./jobs/change_buildings.ts')).listBuildingSources),
    },
    {
      name: 'fingerprints',
      isLearned: true,
      open: late(async () => (await import('./tables/fingerprints/fingerprint_tables.ts')).openFingerprints),
      openOrCreate: late(
        async () => (await import('./tables/fingerprints/fingerprint_tables.ts')).openOrCreateFingerprints,
      ),
      check: late(async () => (await import('./fingerprints/check_maps.ts')).checkWithMaps),
      change: late(async () => (await import('./jobs/change_fingerprints.ts')).changeFingerprints),
      list: late(async () => (await import('./tables/fingerprints/figures.ts')).listFingerprintSources),
      sources: {
        unit: 'fingerprints',
        describeRemoval: late(async () => (await import('./commands/summaries.ts')).describeRemoval),
      },
      figures: {
        read: late(async () => (await import('./tables/fingerprints/figures.ts')).countFingerprints),
        describe: late(async () => (await import('./commands/summaries.ts')).describeFigures),
      },
    },
  ],
  imports: [
    {
      kind: 'buildings',
      description:
        'building models: plain GeoJSON, IMDF archives (.zip), or OpenStreetMap extracts (.osm.pbf) with ' +
        'indoor tagging',
      files: 'paths; files of GeoJSON may refer to one another',
      noStdin: 'buildings cannot come from standard input (-)',
      source: REPLACED_SOURCE,
      replaces: true,
      examples: ['campus.geojson'],
      show: late(async () => (await import('./commands/summaries.ts')).describeBuildings),
    },
    {
      kind: 'fingerprints',
      description: 'scans at known points of known floors: CSV, UJIIndoorLoc, walks between way-points (JSON lines)',
      files: 'paths, or - for standard input; all files are one survey',
      source: REPLACED_SOURCE,
      isNamedHere: true,
      replaces: true,
      examples: ['survey.csv'],
      show: late(async () => (await import('./commands/summaries.ts')).describeFingerprints),
    },
  ],
  phases: {
    features: { label: 'reading plans', thing: 'feature', isSilentAtStart: true },
    buildings: { label: 'writing buildings', thing: 'building' },
    scans: { label: 'reading scans', thing: 'scan' },
    fingerprints: { label: 'writing fingerprints', thing: 'fingerprint' },
    floors: { label: 'looking for floors', thing: 'report' },
    maps: { label: 'building maps', thing: 'map' },
  },
  commands: [['buildings', async () => (await import('./commands/buildings.ts')).addBuildings]],
  loadAnswers: async () => (await import('./answer/indoor_locator.ts')).IndoorLocator,
  loadRoutes: async () => (await import('./api/operations.ts')).BUILDINGS,
  outlines: late(async () => (await import('./api/outlines.ts')).outlinesOf),
  loadJobs: async () => (await import('./writer/fingerprint_jobs.ts')).FingerprintJobs,
};
