// How the rules of places that come from the web, and of parts of places, may break.

import type { Mutations } from './mutations.ts';

export const PLACES: readonly Mutations[] = [
  {
    file: 'src/transfer/web/download.ts',
    tests: ['test/transfer/web/download.test.ts'],
    rows: [
      ['a rest begins where the part ends', 'range === null || Number(range[1]) !== have', 'range === null'],
      ['it is of the same version', '(given === undefined || given === validator)', 'true'],
      ['weak tags tell no versions apart', "tag !== undefined && !tag.startsWith('W/')", 'tag !== undefined'],
      ['an end before the length is none', 'partial.bytes < total', 'false'],
      ['a page is no file', 'if (!PAGE.test(type)) return response;', 'return response;'],
      ['no file is larger than allowed', 'if (total !== undefined && total > bytesMax)', 'if (false)'],
      ['nor one of unknown length', 'done > (total ?? bytesMax)', 'done > (total ?? Infinity)'],
      ['the disk has room', 'if (total !== undefined) requireRoom(', 'if (false) requireRoom('],
      ['the hash is that of the server', '=== wanted.toLowerCase()', '!== wanted.toLowerCase()'],
      ['each new part is new patience', 'return most > before;', 'return false;'],
      ['a part that came again is none', 'most = Math.max(most, partial.bytes);', 'most = before + 1;'],
    ],
  },
  {
    file: 'src/transfer/web/replication.ts',
    tests: ['test/transfer/web/replication.test.ts'],
    rows: [
      ['a number without its time is not believed', 'laterMs >= 0 && laterMs <= STATE_MS', 'true'],
      [
        'the last file is one that ends before',
        'if (state !== undefined && state.upToMs <= timeMs) return older;',
        'return older;',
      ],
      ['a state is that of its file', '!path.startsWith(pathOf(sequence))', 'false'],
    ],
  },
  {
    file: 'src/geocoding/import/cut_places.ts',
    tests: ['test/geocoding/import/cut_places.test.ts'],
    rows: [
      [
        'a place keeps those that it names',
        'if (named > 0) isKept[named] = 1;',
        'if (named > count) isKept[named] = 1;',
      ],
      ['a line that answers no point stays one', "isPoint[id] === 1 || rolesOf(place, 'point') === 0", 'true'],
      ['what reaches into a box is in it', 'some(line => meets(line, box))', 'some(() => false)'],
      ['an area around a box is', "shape.kind === 'area' && isInside(", 'false && isInside('],
      ['an edge beside a box is not', 'if (step === 0 && room < 0) last = -1;', 'if (false) last = -1;'],
      ['the borders of the world tell a country', '|| countryAt(place.latitude, place.longitude)', "|| ''"],
    ],
  },
  {
    file: 'src/geocoding/geocoder_layer.ts',
    tests: ['test/geocoding/import/cut_places.test.ts'],
    rows: [
      ['points alone hide no town of the gazetteer', 'layer?.places.meta.pointsOnly ? undefined : layer', 'layer'],
    ],
  },
];
