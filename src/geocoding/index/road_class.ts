// The class of a road, as the spatial index keeps it: the value of its tag `highway` as a number, so that a map of a
// country finds the motorways without reading the record of every lane.

/** Classes by number less one, the most important first. A new one goes to the end: the numbers are stored. */
const CLASSES: readonly string[] = [
  'motorway',
  'trunk',
  'primary',
  'secondary',
  'tertiary',
  'motorway_link',
  'trunk_link',
  'primary_link',
  'secondary_link',
  'tertiary_link',
  'unclassified',
  'residential',
  'living_street',
  'pedestrian',
  'road',
  'service',
  'track',
  'cycleway',
  'footway',
  'path',
  'bridleway',
  'steps',
  'construction',
];

/** The number of a class; 0 for one that is not listed. */
export function roadClassNumber(highway: string): number {
  return CLASSES.indexOf(highway) + 1;
}

/** The class of a number; undefined for 0. */
export function roadClassOf(number: number): string | undefined {
  return CLASSES[number - 1];
}
