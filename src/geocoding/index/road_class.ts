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

/** Added to the number of a road below the ground. */
const TUNNEL = 0x100;

/** The number of a class, and whether the road is in a tunnel; 0 for a class that is not listed. */
export function roadClassNumber(highway: string, isTunnel = false): number {
  return CLASSES.indexOf(highway) + 1 + (isTunnel ? TUNNEL : 0);
}

/** False for the number of a road that nobody is on who is seen from above: in a tunnel, or not yet built. */
export function isOnGround(number: number): boolean {
  return number < TUNNEL && CLASSES[number - 1] !== 'construction';
}

/** The class of a number; undefined for 0. */
export function roadClassOf(number: number): string | undefined {
  return CLASSES[(number % TUNNEL) - 1];
}
