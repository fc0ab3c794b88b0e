import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_ID_MAX } from '../../../src/tables/accounts/account_record.ts';
import {
  type Candidate,
  decodeLearned,
  encodeLearned,
  LEARNED_BLOCKED,
  LEARNED_KNOWN,
  LEARNED_NEW,
  type Learned,
  newLearned,
  type ReferencePoint,
  SLOT_OTHERS,
  SLOTS,
} from '../../../src/tables/stations/learned_record.ts';
import { STATION_BYTES } from '../../../src/tables/stations/record_layout.ts';
import { encodeStation, stationAt } from '../../../src/tables/stations/station.ts';

const u16 = fc.nat(65_535);
const counted = fc.integer({ min: 1, max: 65_535 });
const u32 = fc.nat(2 ** 32 - 1);
const single = fc.float({ noNaN: true, noDefaultInfinity: true });

/** Neighbours that every drawn record names. */
const NEIGHBOURS = ['\u0000abcdefghij\u00ff', 'klmnopqrstuv'];

const anyCandidate: fc.Arbitrary<Candidate> = fc
  .array(fc.nat(ACCOUNT_ID_MAX), { maxLength: SLOTS })
  .chain(contributors =>
    fc
      .record({
        points: fc.array(
          fc.record<ReferencePoint>({
            latitudeE7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
            longitudeE7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
            weight: fc.float({ min: Math.fround(1e-6), noNaN: true, noDefaultInfinity: true }),
            levelDbm: single,
            count: counted,
            lastDay: u16,
            slot: fc.oneof(fc.nat(contributors.length), fc.constant(SLOT_OTHERS)),
            heard: fc.array(
              fc.record({
                neighbour: fc.nat(NEIGHBOURS.length - 1),
                count: counted,
                levelE2: fc.integer({ min: -32_768, max: 32_767 }),
              }),
              { maxLength: 8 },
            ),
          }),
          { minLength: 1, maxLength: 64 },
        ),
        contributors: fc.constant(contributors),
        reports: u16,
        firstSeconds: u32,
        lastSeconds: u32,
      })
      .chain(candidate =>
        fc.oneof(
          fc.constant({ ...candidate, claimant: 0, claimDay: 0 }),
          fc
            .record({ claimant: fc.integer({ min: 1, max: ACCOUNT_ID_MAX }), claimDay: fc.nat(4_095) })
            .map(claim => ({ ...candidate, ...claim })),
        ),
      ),
  );

/** An imported record. */
function baseAt(latitude: number, longitude: number): Uint8Array {
  const base = new Uint8Array(STATION_BYTES);
  encodeStation(new DataView(base.buffer), 0, stationAt(latitude, longitude, 100, 300));
  return base;
}

const anyBase = fc
  .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
  .map(([latitude, longitude]) => baseAt(latitude, longitude));

const anyLearned: fc.Arbitrary<Learned> = fc.array(anyCandidate, { minLength: 1, maxLength: 5 }).chain(candidates =>
  fc.record({
    state: fc.constantFrom(LEARNED_NEW, LEARNED_KNOWN, LEARNED_BLOCKED),
    main: fc.nat(candidates.length - 1),
    blocks: fc.nat(255),
    settlingSince: u32,
    settlingReports: u16,
    code: u16,
    base: fc.option(anyBase, { nil: undefined }),
    isBaseDisowned: fc.boolean(),
    neighbours: fc.constant(NEIGHBOURS),
    candidates: fc.constant(candidates),
  }),
);

describe('a learned record', () => {
  test('is read as it was written, whatever buffer it lies in', () => {
    fc.assert(
      fc.property(anyLearned, fc.nat(9), (learned, offset) => {
        const bytes = encodeLearned(learned);
        expect(decodeLearned(bytes)).toEqual(learned);
        const elsewhere = Buffer.alloc(bytes.length + offset + 3, 0xee);
        bytes.copy(elsewhere, offset);
        expect(encodeLearned(decodeLearned(elsewhere.subarray(offset, offset + bytes.length)))).toEqual(bytes);
      }),
    );
  });

  test('of a station that is imported only', () => {
    const learned = newLearned(baseAt(50.8, 4.4));
    expect(decodeLearned(encodeLearned(learned))).toEqual(learned);
    expect(learned).toMatchObject({ state: LEARNED_KNOWN, main: -1 });
  });

  test('does not change when the buffer that it was read from is used again', () => {
    const learned = newLearned(baseAt(50.8, 4.4));
    const bytes = encodeLearned(learned);
    const decoded = decodeLearned(bytes);
    bytes.fill(0xee);
    expect(decoded).toEqual(learned);
  });

  test('is refused when it is cut, longer, or of another format', () => {
    fc.assert(
      fc.property(anyLearned, fc.nat(), (learned, cut) => {
        const bytes = encodeLearned(learned);
        expect(() => decodeLearned(bytes.subarray(0, cut % bytes.length))).toThrow(/^A learned record of \d+ bytes /);
        expect(() => decodeLearned(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow('is damaged');
        expect(() => decodeLearned(Buffer.concat([Buffer.of(7), bytes.subarray(1)]))).toThrow(
          'this version reads format 2',
        );
      }),
      { numRuns: 30 },
    );
  });

  const candidate: Candidate = {
    points: [{ latitudeE7: 1, longitudeE7: 2, weight: 1, levelDbm: -60, count: 1, lastDay: 9, slot: 1, heard: [] }],
    contributors: [7],
    reports: 1,
    firstSeconds: 1,
    lastSeconds: 2,
    claimant: 7,
    claimDay: 4_095,
  };
  const good: Learned = { ...newLearned(undefined), main: 0, candidates: [candidate] };
  const withPoint = (changes: Partial<ReferencePoint>): Learned => ({
    ...good,
    candidates: [{ ...candidate, points: [{ ...candidate.points[0], ...changes }] }],
  });

  test.each<[string, Learned]>([
    ['a state that does not exist', { ...good, state: 4 }],
    ['no state', { ...good, state: 0 }],
    ['a main candidate behind the last', { ...good, main: 1 }],
    ['no main candidate, and no imported record', { ...good, main: -1 }],
    ['nothing at all', newLearned(undefined)],
    ['a blocked station without a point', { ...newLearned(new Uint8Array(STATION_BYTES)), state: LEARNED_BLOCKED }],
    ['a candidate without points', { ...good, candidates: [{ ...candidate, points: [] }] }],
    ['a slot of nobody', withPoint({ slot: 2 })],
    ['a slot that does not exist', withPoint({ slot: SLOT_OTHERS + 1 })],
    ['a neighbour that it does not name', withPoint({ heard: [{ neighbour: 0, count: 1, levelE2: 0 }] })],
    ['a latitude beyond the poles', withPoint({ latitudeE7: 900_000_001 })],
    ['a longitude beyond half a turn', withPoint({ longitudeE7: -1_800_000_001 })],
    ['a weight that is none', withPoint({ weight: Number.NaN })],
  ])('is refused with %s', (_, damaged) => {
    expect(decodeLearned(encodeLearned(good))).toEqual(good);
    expect(() => decodeLearned(encodeLearned(damaged))).toThrow(/^A learned record of \d+ bytes is damaged \(/);
  });
});
