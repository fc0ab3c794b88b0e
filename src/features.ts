// The features: what the program can do beside locating and geocoding. A line that is taken out takes its feature out.

import type { Feature, FeatureTables } from './feature.ts';

const LIST = [
  // Positions in buildings.
  (await import('./indoor/feature.ts')).INDOOR,
] as const;

type GroupOf<Listed> = Listed extends Feature<infer Group> ? Group : never;

type Groups = GroupOf<(typeof LIST)[number]>;

/** Names of all groups of tables. Where there is no feature, a name that nothing has keeps jobs apart. */
export type FeatureGroup = [Groups] extends [never] ? 'none' : Groups;

/** All features. */
export const FEATURES: readonly Feature<FeatureGroup>[] = LIST;

/** Their tables. */
export const FEATURE_TABLES: readonly FeatureTables<FeatureGroup>[] = FEATURES.flatMap(({ tables }) => tables);

/** The names of their tables, which are those of folders and jobs too. */
export const FEATURE_GROUPS: readonly FeatureGroup[] = FEATURE_TABLES.map(({ name }) => name);

/** The tables that learn from reports. */
export const LEARNED_GROUPS: readonly FeatureGroup[] = FEATURE_TABLES.flatMap(({ name, isLearned }) =>
  isLearned ? [name] : [],
);

/** The tables of a name. */
export function featureTables(name: string): FeatureTables<FeatureGroup> | undefined {
  return FEATURE_TABLES.find(tables => tables.name === name);
}
