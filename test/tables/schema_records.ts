// Records of the kinds that have a schema, and what each says in the words of its schema.

import {
  BUILDING,
  type Building,
  FLOOR,
  type FloorPlan,
  ROOM,
  type Room,
} from '../../src/indoor/tables/buildings/building.ts';
import type { StoredFingerprint, StoredReading } from '../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { decodeFingerprint, encodeFingerprint } from '../../src/indoor/tables/fingerprints/fingerprint_record.ts';
import { OBSERVATION_BYTES } from '../../src/radio/query/layout.ts';
import { ACCOUNT, type Account, type Earned, type PreviousKey } from '../../src/tables/accounts/account_record.ts';
import { decodeReport, encodeReport, type Report } from '../../src/tables/observations/report.ts';
import { OSM_NONE, OSM_RELATION, type Place } from '../../src/tables/places/place.ts';
import { decodePlace, encodePlace } from '../../src/tables/places/place_record.ts';
import { drawnPlace } from '../kits/places/numbered_houses.ts';
import type { Values } from './flatbuffers_schema.ts';

const UINT_MAX = 4_294_967_295;

/** A kind of record that has a schema. */
export interface Kind<T> {
  encode(record: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  /** A record as the schema says it. What is absent is undefined. */
  valuesOf(record: T): Values;
  /** A record with nothing that may be absent. */
  bare: T;
  /** A record with everything. */
  full: T;
  /** For each field what sets it in the bare record, at the ends of its range where it has some. */
  alone: Record<string, Partial<T>>;
  /** Zeros that are not the same as nothing. */
  zeros: T;
}

function previousKeyOf({ keyHash, untilMs }: PreviousKey): Uint8Array {
  return Uint8Array.from([...Buffer.from(keyHash, 'hex'), ...new Uint8Array(new Float64Array([untilMs]).buffer)]);
}

function earnedOf({ day, credits, rewrites, sequence }: Earned): Uint8Array {
  return Uint8Array.from([
    ...new Uint8Array(new Uint32Array([day, credits]).buffer),
    ...new Uint8Array(new Float64Array([rewrites, sequence]).buffer),
  ]);
}

const bareAccount: Account = { id: 1, keyHash: '00'.repeat(32), createdMs: 1, revoked: false };
/** Accounts. */
export const accounts: Kind<Account> = {
  encode: ACCOUNT.encode,
  decode: ACCOUNT.decode,
  valuesOf: account => ({
    id: account.id,
    key_hash: Uint8Array.from(Buffer.from(account.keyHash, 'hex')),
    name: account.name,
    created_ms: account.createdMs,
    revoked: account.revoked,
    indoor: account.indoor,
    address: account.address,
    speed_filter: account.speedFilter,
    speed_limit: account.speedLimit,
    credits: account.credits,
    expires: account.expires === undefined ? undefined : Date.parse(account.expires) / 86_400_000,
    rate_per_second: account.ratePerSecond,
    devices: account.devices,
    contributor: account.contributor,
    trusted: account.trusted,
    loopback_only: account.loopbackOnly,
    trail: account.trail,
    tracking: account.tracking,
    storage_megabytes: account.storageMegabytes,
    previous: account.previous && previousKeyOf(account.previous),
    earned: account.earned && earnedOf(account.earned),
    explain: account.explain,
    monthly_credits: account.monthlyCredits,
    filled_month: account.filledMonth,
    confidence: account.confidence,
    fallbacks: account.fallbacks,
    routes: account.routes,
    origins: account.origins,
    networks: account.networks,
    tags: account.tags,
    upstream: account.upstream,
    cells: account.cells,
  }),
  bare: bareAccount,
  full: {
    id: 77,
    keyHash: '0123456789abcdef'.repeat(4),
    name: 'fleet',
    createdMs: 1_600_000_000_000,
    revoked: true,
    indoor: true,
    address: true,
    speedFilter: true,
    speedLimit: 40.5,
    credits: 1_000,
    expires: '2030-01-31',
    ratePerSecond: 2.5,
    devices: 500,
    contributor: true,
    trusted: true,
    loopbackOnly: true,
    trail: true,
    tracking: true,
    storageMegabytes: 300,
    previous: { keyHash: 'fedcba9876543210'.repeat(4), untilMs: 1_700_000_000_000 },
    earned: { day: 20_500, credits: 900, rewrites: 2, sequence: 5_000_000_000 },
    explain: true,
    monthlyCredits: 1_000,
    filledMonth: 682,
    confidence: 95,
    fallbacks: ['lacf', 'ratf'],
    routes: ['position', 'search'],
    origins: ['https://shop.example'],
    networks: ['192.0.2.0/24', '2001:db8::/32'],
    tags: ['acme', 'trial'],
    upstream: true,
    cells: true,
  },
  alone: {
    id: { id: 1_048_575 },
    key_hash: { keyHash: 'ff'.repeat(32) },
    name: { name: 'Straße 日本' },
    created_ms: { createdMs: 8_640_000_000_000_000 },
    revoked: { revoked: true },
    indoor: { indoor: true },
    address: { address: true },
    speed_filter: { speedFilter: true },
    speed_limit: { speedLimit: 100_000 },
    credits: { credits: 2_147_483_647 },
    expires: { expires: '9999-12-31' },
    rate_per_second: { ratePerSecond: 0.01 },
    devices: { devices: 1_000_000_000 },
    contributor: { contributor: true },
    trusted: { trusted: true },
    loopback_only: { loopbackOnly: true },
    trail: { trail: true },
    tracking: { tracking: true },
    storage_megabytes: { storageMegabytes: 1_048_576 },
    previous: { previous: { keyHash: 'ff'.repeat(32), untilMs: 8_640_000_000_000_000 } },
    earned: { earned: { day: 4_294_967_295, credits: 4_294_967_295, rewrites: 0, sequence: 9_007_199_254_740_991 } },
    explain: { explain: true },
    monthly_credits: { monthlyCredits: 2_147_483_647 },
    filled_month: { filledMonth: 96_365 },
    confidence: { confidence: 99 },
    fallbacks: { fallbacks: ['all'] },
    routes: { routes: ['position'] },
    origins: { origins: ['http://localhost:3000'] },
    networks: { networks: ['::/0'] },
    tags: { tags: ['a'] },
    upstream: { upstream: true },
    cells: { cells: true },
  },
  zeros: {
    ...bareAccount,
    createdMs: 0,
    indoor: false,
    address: false,
    speedFilter: false,
    credits: 0,
    expires: '1970-01-01',
    contributor: false,
    trusted: false,
    loopbackOnly: false,
    trail: false,
    tracking: false,
    storageMegabytes: 0,
    explain: false,
    filledMonth: 0,
    upstream: false,
    cells: false,
  },
};

const barePlace = drawnPlace({
  osmType: OSM_NONE,
  osmId: 0,
  category: '',
  type: '',
  searchRank: 0,
  addressRank: 0,
  latitude: 0,
  longitude: 0,
  countryCode: '',
});
/** Places. */
export const places: Kind<Place> = {
  encode: encodePlace,
  decode: decodePlace,
  valuesOf: place => ({
    osm_type: place.osmType,
    osm_id: place.osmId,
    category: place.category || undefined,
    type: place.type || undefined,
    search_rank: place.searchRank,
    address_rank: place.addressRank,
    importance: place.importance,
    latitude_e7: unitsBetween(place.latitude, 0),
    longitude_e7: unitsBetween(place.longitude, 0),
    south_e7: unitsBetween(place.south, place.latitude),
    north_e7: unitsBetween(place.north, place.latitude),
    west_e7: unitsBetween(place.west, place.longitude),
    east_e7: unitsBetween(place.east, place.longitude),
    names: Object.keys(place.names).length === 0 ? undefined : Object.entries(place.names).flat(),
    country_code: place.countryCode || undefined,
    subdivision_code: place.subdivisionCode || undefined,
    house_number: place.houseNumber || undefined,
    house_name: place.houseName || undefined,
    postcode: place.postcode || undefined,
    linked_place: place.linkedPlace || undefined,
    is_address_inherited: place.isAddressInherited,
    parent: place.parent,
    rows: place.rows.length === 0 ? undefined : [...place.rows],
    range_start: place.houseRange?.start,
    range_end: place.houseRange?.end,
    range_step: place.houseRange?.step,
    street: place.street || undefined,
    street_as_written: place.streetAsWritten || undefined,
    is_district: place.isDistrict,
    town: place.town || undefined,
    also_written: place.alsoWritten || undefined,
    quarter: place.quarter || undefined,
    neighbourhood: place.neighbourhood || undefined,
    city_block: place.cityBlock || undefined,
    unit: place.unit || undefined,
    tags: Object.keys(place.tags).length === 0 ? undefined : Object.entries(place.tags).flat(),
  }),
  bare: barePlace,
  full: drawnPlace({
    osmType: OSM_RELATION,
    osmId: 13_000_000_001,
    category: 'building',
    type: 'yes',
    searchRank: 30,
    addressRank: 28,
    importance: 0.125,
    latitude: 47.25,
    longitude: 9.5,
    south: 47,
    north: 47.5,
    west: 9.25,
    east: 9.75,
    names: { name: 'Haus', 'name:ja': '家' },
    countryCode: 'li',
    subdivisionCode: 'LI-11',
    houseNumber: '33a',
    houseName: 'Mühle',
    postcode: '9490',
    linkedPlace: 'village',
    isAddressInherited: true,
    parent: 9,
    rows: [5, 4, 1],
    houseRange: { start: 3, end: 9, step: 2 },
    street: 'Gasse',
    streetAsWritten: 'Gässle',
    isDistrict: true,
    town: 'Nendeln',
    alsoWritten: 'Innere Wiesen;94-85',
    quarter: '押上',
    neighbourhood: '一丁目',
    cityBlock: '17',
    unit: '3b',
    tags: { website: 'https://haus.example', population: '' },
  }),
  alone: {
    osm_type: { osmType: OSM_RELATION },
    osm_id: { osmId: Number.MAX_SAFE_INTEGER },
    category: { category: 'highway' },
    type: { type: 'residential' },
    search_rank: { searchRank: 30 },
    address_rank: { addressRank: 30 },
    importance: { importance: 1 },
    latitude_e7: { latitude: -90, south: -90, north: -90 },
    longitude_e7: { longitude: -180, west: -180, east: -180 },
    south_e7: { south: -90 },
    north_e7: { north: 90 },
    west_e7: { west: -180 },
    east_e7: { east: 180 },
    names: { names: { name: 'Ä', ref: '' } },
    country_code: { countryCode: 'de' },
    subdivision_code: { subdivisionCode: 'DE-BY' },
    house_number: { houseNumber: '1' },
    house_name: { houseName: 'Hof' },
    postcode: { postcode: '80331' },
    linked_place: { linkedPlace: 'town' },
    is_address_inherited: { isAddressInherited: true },
    parent: { parent: UINT_MAX },
    rows: { rows: [UINT_MAX, 1] },
    range_start: { houseRange: { start: 5, end: 5, step: 1 } },
    range_end: { houseRange: { start: 0, end: 2_147_483_647, step: 1 } },
    range_step: { houseRange: { start: 0, end: 0, step: 9 } },
    street: { street: 'Weg' },
    street_as_written: { streetAsWritten: 'Wäg' },
    is_district: { isDistrict: true },
    town: { town: 'Lauf' },
    also_written: { alsoWritten: 'Bleichgasse;91207 L' },
    quarter: { quarter: '大手前' },
    neighbourhood: { neighbourhood: '二丁目' },
    city_block: { cityBlock: '2' },
    unit: { unit: '12' },
    tags: { tags: { opening_hours: '24/7' } },
  },
  zeros: { ...barePlace, houseRange: { start: 0, end: 0, step: 1 } },
};

/** Ten-millionths of a degree. */
function unitsBetween(degrees: number, from: number): number {
  return Math.round(degrees * 1e7) - Math.round(from * 1e7);
}

const bareReport: Report = {
  timeMs: 1,
  isTimed: false,
  latitude: 1,
  longitude: 1,
  accuracyMetres: Number.NaN,
  positionAgeMs: Number.NaN,
  altitude: Number.NaN,
  heading: Number.NaN,
  floor: Number.NaN,
  speed: Number.NaN,
  contributor: 0,
  isTrusted: false,
  track: 0,
  observations: new Uint8Array(),
};
/** Reports. */
export const reports: Kind<Report> = {
  encode: encodeReport,
  decode: decodeReport,
  valuesOf: report => ({
    time_ms: report.timeMs,
    is_timed: report.isTimed,
    latitude: report.latitude,
    longitude: report.longitude,
    accuracy_metres: sent(report.accuracyMetres),
    position_age_ms: sent(report.positionAgeMs),
    altitude: sent(report.altitude),
    heading: sent(report.heading),
    floor: sent(report.floor),
    speed: sent(report.speed),
    contributor: report.contributor,
    is_trusted: report.isTrusted,
    track: report.track,
    observations: Uint8Array.from(report.observations),
  }),
  bare: bareReport,
  full: {
    timeMs: 1_750_000_000_000,
    isTimed: true,
    latitude: 50.25,
    longitude: 4.5,
    accuracyMetres: 12.5,
    positionAgeMs: 300,
    altitude: -3,
    heading: 359,
    floor: -3,
    speed: 7,
    contributor: 3,
    isTrusted: true,
    track: 77,
    observations: Uint8Array.from({ length: 3 * OBSERVATION_BYTES }, (_, i) => i + 1),
  },
  alone: {
    time_ms: { timeMs: 8_640_000_000_000_000 },
    is_timed: { isTimed: true },
    latitude: { latitude: -90 },
    longitude: { longitude: -180 },
    accuracy_metres: { accuracyMetres: 0.5 },
    position_age_ms: { positionAgeMs: 1 },
    altitude: { altitude: -400 },
    heading: { heading: 360 },
    floor: { floor: 200 },
    speed: { speed: 300 },
    contributor: { contributor: 1_048_575 },
    is_trusted: { isTrusted: true },
    track: { track: Number.MAX_SAFE_INTEGER },
    observations: { observations: new Uint8Array(OBSERVATION_BYTES).fill(255) },
  },
  zeros: {
    ...bareReport,
    latitude: 0,
    longitude: 0,
    accuracyMetres: 0,
    positionAgeMs: 0,
    altitude: 0,
    heading: 0,
    floor: 0,
    speed: 0,
  },
};

function sent(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** A square at a corner of the globe, and one with another inside. */
const CORNER = [
  Int32Array.of(
    -1_800_000_000,
    -900_000_000,
    -1_799_999_000,
    -900_000_000,
    -1_799_999_000,
    -899_999_000,
    -1_800_000_000,
    -900_000_000,
  ),
];
const COURT = [
  Int32Array.of(0, 0, 900, 0, 900, 900, 0, 900, 0, 0),
  Int32Array.of(300, 300, 300, 600, 600, 600, 600, 300, 300, 300),
];

function bytesOf(...lines: readonly Int32Array[]): Uint8Array | undefined {
  const numbers = Int32Array.from(lines.flatMap(line => [...line]));
  return numbers.length === 0 ? undefined : new Uint8Array(numbers.buffer);
}

const bareBuilding: Building = { modelId: undefined, buildingId: undefined, name: '', outline: CORNER };
/** Buildings. */
export const buildings: Kind<Building> = {
  encode: BUILDING.encode,
  decode: BUILDING.decode,
  valuesOf: ({ modelId, buildingId, name, outline }) => ({
    model_id: modelId,
    building_id: buildingId,
    name: name || undefined,
    outline: bytesOf(...outline),
  }),
  bare: bareBuilding,
  full: { modelId: 7, buildingId: 12, name: 'Rathaus', outline: COURT },
  alone: {
    model_id: { modelId: Number.MAX_SAFE_INTEGER },
    building_id: { buildingId: Number.MAX_SAFE_INTEGER },
    name: { name: '市役所' },
    outline: { outline: COURT },
  },
  zeros: { ...bareBuilding, modelId: 0, buildingId: 0 },
};

const bareFloor: FloorPlan = {
  label: '',
  outline: [],
  walls: new Int32Array(),
  doors: new Int32Array(),
  stairs: new Int32Array(),
};
/** Floors. */
export const floors: Kind<FloorPlan> = {
  encode: FLOOR.encode,
  decode: FLOOR.decode,
  valuesOf: ({ label, outline, walls, doors, stairs }) => ({
    label: label || undefined,
    outline: bytesOf(...outline),
    walls: bytesOf(walls),
    doors: bytesOf(doors),
    stairs: bytesOf(stairs),
  }),
  bare: bareFloor,
  full: {
    label: 'Mezzanine',
    outline: COURT,
    walls: Int32Array.of(0, 0, 900, 0, 900, 0, 900, 900),
    doors: Int32Array.of(5, 5, 5, 5),
    stairs: Int32Array.of(6, 7, 6, 7, 8, 9, 10, 11),
  },
  alone: {
    label: { label: 'Straße' },
    outline: { outline: CORNER },
    walls: { walls: Int32Array.of(-1_800_000_000, -900_000_000, 1_800_000_000, 900_000_000) },
    doors: { doors: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
    stairs: { stairs: Int32Array.of(-1, -2, -3, -4) },
  },
  zeros: { ...bareFloor, walls: Int32Array.of(0, 0, 0, 0) },
};

const bareRoom: Room = { name: '1', outline: CORNER };
/** Rooms. */
export const rooms: Kind<Room> = {
  encode: ROOM.encode,
  decode: ROOM.decode,
  valuesOf: ({ name, outline }) => ({ name, outline: bytesOf(...outline) }),
  bare: bareRoom,
  full: { name: 'Hörsaal 3', outline: COURT },
  alone: { name: { name: '0' }, outline: { outline: COURT } },
  zeros: { name: '0', outline: COURT },
};

function readingBytes(readings: readonly StoredReading[]): Uint8Array {
  const bytes = Buffer.alloc(readings.length * 8);
  for (const [i, { radio, levelDbm }] of readings.entries()) {
    bytes.writeUIntLE(radio % 2 ** 48, i * 8, 6);
    bytes.writeUInt8(Math.floor(radio / 2 ** 48), i * 8 + 6);
    bytes.writeInt8(levelDbm, i * 8 + 7);
  }
  return Uint8Array.from(bytes);
}

const bareFingerprint: StoredFingerprint = {
  timeMs: Number.NaN,
  floor: 0,
  latitude: 1,
  longitude: 1,
  contributor: 0,
  isTrusted: false,
  track: 0,
  identity: new Uint8Array(),
  readings: [{ radio: 1, levelDbm: -1, ageMs: Number.NaN }],
};
/** Fingerprints. */
export const fingerprints: Kind<StoredFingerprint> = {
  encode: encodeFingerprint,
  decode: decodeFingerprint,
  valuesOf: fingerprint => ({
    time_ms: sent(fingerprint.timeMs),
    floor: fingerprint.floor,
    latitude_e7: Math.round(fingerprint.latitude * 1e7),
    longitude_e7: Math.round(fingerprint.longitude * 1e7),
    contributor: fingerprint.contributor,
    is_trusted: fingerprint.isTrusted,
    track: fingerprint.track,
    identity: fingerprint.identity.length === 0 ? undefined : fingerprint.identity,
    readings: readingBytes(fingerprint.readings),
    ages: fingerprint.readings.every(({ ageMs }) => Number.isNaN(ageMs))
      ? undefined
      : Uint8Array.from(fingerprint.readings, ({ ageMs }) => (Number.isNaN(ageMs) ? 255 : ageMs / 100)),
  }),
  bare: bareFingerprint,
  full: {
    timeMs: 1_750_000_000_000,
    floor: -3,
    latitude: 50.25,
    longitude: -4.5,
    contributor: 3,
    isTrusted: true,
    track: 77,
    identity: Uint8Array.from({ length: 16 }, (_, i) => i),
    readings: [
      { radio: 2 ** 52 + 5, levelDbm: -128, ageMs: 0 },
      { radio: 2 ** 40 - 1, levelDbm: -60, ageMs: 25_400 },
      { radio: 2 ** 32, levelDbm: 127, ageMs: Number.NaN },
    ],
  },
  alone: {
    time_ms: { timeMs: 8_640_000_000_000_000 },
    floor: { floor: 200 },
    latitude_e7: { latitude: -90 },
    longitude_e7: { longitude: -180 },
    contributor: { contributor: 1_048_575 },
    is_trusted: { isTrusted: true },
    track: { track: Number.MAX_SAFE_INTEGER },
    identity: { identity: new Uint8Array(16).fill(255) },
    readings: { readings: [{ radio: Number.MAX_SAFE_INTEGER, levelDbm: -128, ageMs: Number.NaN }] },
    ages: { readings: [{ radio: 1, levelDbm: -1, ageMs: 100 }] },
  },
  zeros: { ...bareFingerprint, timeMs: 0, latitude: 0, longitude: 0, readings: [{ radio: 0, levelDbm: 0, ageMs: 0 }] },
};
