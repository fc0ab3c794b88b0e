// The words that stand for the names of explanations in texts.

import type { AbsentReason, FallbackResult, Strategy, Taken } from '../../positioning/estimates/recorder.ts';
import type { LeftOut } from '../../radio/query/left_out.ts';
import type { RadiusParts } from './explanation.ts';

/** Why an entry is left out. */
export const LEFT_OUT: Readonly<Record<LeftOut['why'], string>> = {
  noObject: 'it is no object',
  noAddress: 'it has no readable address',
  groupAddress: 'its address is that of a group, or none',
  optedOut: 'its owner has opted out (_nomap)',
  movingHotspot: 'its name is one that travels',
  noIdentity: 'it has neither UUID, major and minor nor an address',
  noNetwork: 'its country or network is missing or out of range',
  noArea: 'a gsm cell needs its area',
  noCell: 'it has neither a cell id nor a code',
};

/** What makes estimates. */
export const STRATEGIES: Readonly<Record<Strategy, string>> = {
  gps: 'GPS',
  bluetooth: 'beacons',
  wifi: 'access points',
  cells: 'cells',
  map: 'map of a cell',
  fingerprints: 'map of the building',
  fallback: 'fallback',
};

/** What became of a station; followed by the strategy where it takes part. */
export const TAKEN: Readonly<Record<Taken, string>> = {
  used: 'used for the estimate by',
  outlier: 'an outlier in the estimate by',
  compared: 'compared with the',
  unknown: 'not known',
  stale: 'left out, as its reading is old',
  sameRadio: 'left out, as another reading of its radio is stronger',
  tooMany: 'left out, as there are stronger ones enough',
  apart: 'left out, as it is not near the place of most devices',
  tooFew: 'not used, as there are too few of its kind',
};

/** Why a strategy has no estimate. */
export const ABSENT: Readonly<Record<AbsentReason, string>> = {
  notSent: 'as nothing was sent for it',
  noneKnown: 'as no station is known',
  tooFew: 'as too few are known, of different devices',
  apart: 'as most of them are not near one place',
  tooMany: 'as more were sent than a device hears at once',
  noFit: 'as no position explains what is heard',
  unlike: 'as the scan is unlike those of the building',
  replaced: 'as the map of the building takes its place',
};

/** What a fallback came to. */
export const FALLBACK_RESULTS: Readonly<Record<FallbackResult, string>> = {
  noGuess: 'no cell resembles those that were sent',
  abroad: 'dropped, as its guess lies outside of the country of the network',
  contradicted: 'dropped, as it is often wrong for the known cells around',
  answered: 'answered',
};

/** What a radius is made of. */
export const PARTS: Readonly<Record<keyof RadiusParts, string>> = {
  fix: 'accuracy of the fix',
  movement: 'movement since the fix',
  contradiction: 'stations that contradict the fix',
  levels: 'levels',
  geometry: 'geometry',
  stations: 'places of the stations',
  coverage: 'coverage of the cells',
  unseen: 'what few observations leave unseen',
  likelihood: 'likely places',
  misfit: 'what no place explains',
  blur: 'blur of a place',
  newRoad: 'a road that may be new',
  guess: 'guess',
};
