// The rules of intake, in the order in which they are tried. A rule refuses a whole report or one observation in it
// (one station in one report), and each refusal is counted under the rule's name: in the summary of an import, in the
// log, in the metrics. Nothing is repaired, with two exceptions that lose no truth: a bad optional value of a good
// observation is dropped (the ranges of src/radio/ranges.ts), and if a station is listed twice, the better reading
// stays.
//
// These rules check only whether a report is plausible by itself. Whether the reports of a device contradict each other
// is decided later, where they meet (the last rule of the list).

/**
 * Most entries of one report over all lists. A shopping mall shows 186 access points at a time, and several times that
 * to a device that gathers for a minute.
 */
export const ENTRIES_MAX = 1000;

/** ms after the arrival: a later time shows that the clock is wrong by more than a time zone. */
export const FUTURE_MS_MAX = 86_400_000;
/** 2000-01-01 in ms: earlier times come from clocks that were never set, which start in 1970 or 1980. */
export const TIME_MS_MIN = 946_684_800_000;
/**
 * Degrees of latitude and longitude around 0, 0: open sea, and the position that software writes when it knows none.
 */
export const NULL_ISLAND_DEGREES = 1;
/** ms between position and report: at the greatest speed that is one kilometre. */
export const POSITION_AGE_MS_MAX = 20_000;
/** m/s: the fastest motorway traffic; faster trains and aircraft carry their own networks. */
export const SPEED_MAX = 50;
/** Metres above sea: the shore of the Dead Sea lies at -430. */
export const ALTITUDE_MIN = -500;
/** Metres above sea: the highest town lies at 5,100, the highest base stations at 5,300; above are only aircraft. */
export const ALTITUDE_MAX = 5500;
/** Metres: an access point is heard for about 100, so a worse position only blurs it. */
export const ACCURACY_WIFI_MAX = 200;
/** Metres: a beacon is heard for some tens. */
export const ACCURACY_BLUETOOTH_MAX = 100;
/** Metres: cells are hundreds to thousands wide. */
export const ACCURACY_CELL_MAX = 1000;
/** ms between an observation and the position of its report. */
export const READING_AGE_MS_MAX = 20_000;
/**
 * Metres by which a cell may be heard beyond its country's border: cells reach that far over water and plains, and the
 * borders are that coarse.
 */
export const BORDER_METRES = 20_000;
/**
 * m/s between two reports of one track, both accuracies subtracted: twice the limit within a report, since clocks err
 * too.
 */
export const JUMP_SPEED_MAX = 100;

interface IntakeRule {
  /** As counters, summaries and metrics show it. */
  readonly name: string;
  /** What it refuses, and what its counter counts. */
  readonly refuses: 'report' | 'observation';
  /** What is refused, and where the limit lies. */
  readonly description: string;
}

/** All rules of intake. */
export const INTAKE_RULES = [
  { name: 'too many stations', refuses: 'report', description: `A report lists more than ${ENTRIES_MAX} entries.` },
  {
    name: 'position',
    refuses: 'report',
    description:
      'The position is missing, or lies outside -90..90 and -180..180 degrees; or it is 0, 0 or 90, 180 with ' +
      'any sign and has no accuracy, as devices without a fix ' +
      'send it.',
  },
  {
    name: 'position source',
    refuses: 'report',
    description:
      'The position is said to come from a query to a service like this one: nothing is learned from our own answers.',
  },
  {
    name: 'null island',
    refuses: 'report',
    description: `Latitude and longitude both lie within ${NULL_ISLAND_DEGREES} degree of 0.`,
  },
  {
    name: 'time',
    refuses: 'report',
    description:
      'The time lies before the year 2000, or more than ' + `${FUTURE_MS_MAX / 3_600_000} hours after its arrival.`,
  },
  {
    name: 'position age',
    refuses: 'report',
    description: `Position and report are more than ${POSITION_AGE_MS_MAX / 1000} s apart.`,
  },
  { name: 'speed', refuses: 'report', description: `The device moved faster than ${SPEED_MAX} m/s.` },
  { name: 'altitude', refuses: 'report', description: `The altitude lies outside ${ALTITUDE_MIN}..${ALTITUDE_MAX} m.` },
  {
    name: 'accuracy',
    refuses: 'observation',
    description:
      `The position is less accurate than ${ACCURACY_WIFI_MAX} m for an access point, ` +
      `${ACCURACY_BLUETOOTH_MAX} m for a beacon, ` +
      `${ACCURACY_CELL_MAX} m for a cell; or its accuracy is negative, by which devices say that it is void. A ` +
      `missing accuracy, or 0, is no reason: whole ` +
      'collections state none.',
  },
  {
    name: 'opted out',
    refuses: 'observation',
    description:
      'The name asks not to be mapped: it ends in _nomap or contains _optout, in any case. Or the station was ' +
      '[forgotten](operating.md#forget) at the wish of its owner.',
  },
  {
    name: 'moving hotspot',
    refuses: 'observation',
    description:
      'The name is one that phones, cars, buses, trains, ships or aircraft carry (data/moving_hotspots.csv).',
  },
  {
    name: 'reading age',
    refuses: 'observation',
    description:
      `The station was heard more than ${READING_AGE_MS_MAX / 1000} s ` + 'before or after the position was taken.',
  },
  {
    name: 'unidentified',
    refuses: 'observation',
    description: 'The entry is no object, or its address, uuid or cell identity is missing, malformed or out of range.',
  },
  {
    name: 'group address',
    refuses: 'observation',
    description: 'The address is null, broadcast or multicast: no station sends from it.',
  },
  {
    name: 'neighbour',
    refuses: 'observation',
    description:
      'The cell has no cell id: a neighbour known by its scrambling code or physical cell id alone is no station.',
  },
  {
    name: 'no area',
    refuses: 'observation',
    description:
      'The gsm cell has no area code, without which its id means nothing: ids of gsm recur from area to area.',
  },
  {
    name: 'radio type',
    refuses: 'observation',
    description: 'The radio type is missing or cannot have such a cell id, and several others could.',
  },
  {
    name: 'fake identity',
    refuses: 'observation',
    description: 'The cell identity is one that devices report when they know none (src/radio/unknown_cell.ts).',
  },
  {
    name: 'network without country',
    refuses: 'observation',
    description:
      'The country code of the cell is not assigned, or to test networks (001), private networks (999) or ' +
      'international ones (901), which are ' +
      'not unique or which sail and fly.',
  },
  {
    name: 'outside its country',
    refuses: 'observation',
    description: `The cell was heard more than ${BORDER_METRES / 1000} km outside every country of its country code.`,
  },
  {
    name: 'repeated',
    refuses: 'observation',
    description: 'The station stands in the report already, with a stronger or a younger reading.',
  },
  {
    name: 'nothing left',
    refuses: 'report',
    description: 'The report lists no station, or none that the other rules leave.',
  },
  {
    name: 'impossible jump',
    refuses: 'report',
    description:
      `A device moved faster than ${JUMP_SPEED_MAX} m/s since the report before, the accuracies of both ` +
      `subtracted. This is found where the reports of a track meet, after intake.`,
  },
] as const satisfies readonly IntakeRule[];

/** Name of a rule. */
export type RuleName = (typeof INTAKE_RULES)[number]['name'];
