// How the rules of dialects may break, of what is looked for elsewhere, and of what keys may be used for.

import type { Mutations } from './mutations.ts';

const POSITIONS = ['test/api/dialects/positions.test.ts'];
const GEOIP = ['test/api/geoip.test.ts'];
const AREA = ['test/api/dialects/opencellid.test.ts'];
const RESTRICTED = ['test/accounts/restrictions.test.ts', 'test/api/restricted_keys.test.ts'];

export const DIALECTS: readonly Mutations[] = [
  {
    file: 'src/api/elsewhere.ts',
    tests: [...GEOIP, 'test/api/upstream.test.ts'],
    rows: [
      ['only keys that may ask another service', 'account.upstream === true ? ', 'true ? '],
      ['which is asked first', 'if (upstream !== undefined) return upstream;', ''],
      ['the paths of Google consider the address', 'GOOGLE_PATH.test(', 'true || GOOGLE_PATH.test('],
      ['an answer names how it was found', 'fallback: FALLBACK_IPF', 'fallback: 0'],
      ['only where it is wanted', ' || !considersAddress(body, byDefault)) return', ') return'],
      ['the client of an unknown proxy is elsewhere', 'transport.isForwarded && !behindProxy ? undefined : ', ''],
    ],
  },
  {
    file: 'src/protocol/requests/position_query.ts',
    tests: GEOIP,
    rows: [
      ['a followed device gets no other place', 'if (state || lastLocation) return false;', ''],
      ['ipf wins over considerIp', 'flagOf(fallbacks?.ipf) ?? flagOf(considerIp)', 'flagOf(considerIp)'],
      ['all turns it off', ' && flagOf(fallbacks?.all) !== false)', ')'],
    ],
  },
  {
    file: 'src/positioning/fallbacks/address_database.ts',
    tests: ['test/positioning/fallbacks/address_database.test.ts'],
    rows: [
      ['a radius of 67 % becomes one of 50 %', 'radius * 1000 * R50_PER_R67', 'radius * 1000'],
      ['errors have a long tail', 'Math.log(1 - 0.95) / Math.log(1 - 0.67) / R50_PER_R67', 'AT_68'],
      ['an address of IPv4 in the form of IPv6', ".replace(/^::ffff:(?=[\\d.]+$)/i, '')", ''],
      [
        'one of IPv6 is none of IPv4',
        'if (isIPv6(plain) && this.reader.metadata.ipVersion === 4) return undefined;',
        '',
      ],
      ['a database without places is refused', 'if (!WITH_PLACES.test(databaseType)) throw', 'if (false) throw'],
      ['damage is told once', 'this.isDamaged = true;', ''],
    ],
  },
  {
    file: 'src/api/cells.ts',
    tests: AREA,
    rows: [
      ['only keys that may list cells', 'if (account.cells !== true) return ERRORS.accessNotConfigured;', ''],
      ['each cell costs', 'found.cells.length * CELL_CREDITS', 'CELL_CREDITS'],
      ['their number costs', 'area.limit === 0 ? CELL_CREDITS : ', ''],
    ],
  },
  {
    file: 'src/tasks/list_cells.ts',
    tests: AREA,
    rows: [
      ['an offset leaves out', 'total >= area.offset && ', ''],
      ['a limit ends', 'keys.length < area.limit', 'true'],
      ['one radio type', 'if (kind !== undefined && key[0] !== kind) return false;', ''],
      ['one country', 'if (mcc !== undefined && mccOfKey(key, 0) !== mcc) return false;', ''],
      ['one network', 'if (mnc !== undefined && mncOfKey(key, 0) !== mnc) return false;', ''],
      ['one area', 'return area === undefined || areaOfKey(key, 0) === area;', 'return true;'],
    ],
  },
  {
    file: 'src/protocol/dialects/opencellid_area.ts',
    tests: AREA,
    rows: [
      ['a largest area', 'if (height * width > AREA_MAX) throw', 'if (false) throw'],
      ['a box has its south below its north', '    south <= north &&\n', ''],
      ['and its west before its east', '    west <= east;', '    true;'],
      ['numbers of the wrong form', 'if (!Number.isInteger(sent) || sent < 0) throw', 'if (false) throw'],
    ],
  },
  {
    file: 'src/protocol/dialects/opencellid.ts',
    tests: AREA,
    rows: [
      ['a key that may not list has its own number', 'row === ERRORS.accessNotConfigured ? NOT_LISTED : ', ''],
      ['a wrong key is 401', 'row === ERRORS.keyInvalid ? 401 : row.status', 'row.status'],
      ['an upload has lines', 'if (/^\\/+measure\\b/.test(url)) {', 'if (false) {'],
    ],
  },
  {
    file: 'src/protocol/dialects/here.ts',
    tests: POSITIONS,
    rows: [
      ['a key that is refused is 401', 'row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid ? 401 : ', ''],
      ['neighbours are in the network', '      return {\n        ...network,', '      return {'],
    ],
  },
  {
    file: 'src/protocol/dialects/nrf_cloud.ts',
    tests: POSITIONS,
    rows: [
      ['words that its client knows', "cells.length > 1 ? 'MCELL' : 'SCELL'", "'CELL'"],
      ['found by access points', "if (isByWifi || cells.length === 0) return 'WIFI';", ''],
    ],
  },
  {
    file: 'src/protocol/dialects/unwired.ts',
    tests: POSITIONS,
    rows: [
      ['a balance in each answer', 'balance: credits ?? BALANCE_UNLIMITED,', ''],
      ['not found', "if (row === ERRORS.notFound) return 'No matches found';", ''],
      ['out of credits', "if (row === ERRORS.creditsExceeded) return 'Out of credits';", ''],
      ['fallbacks as a list', 'if (Array.isArray(fallbacks)) return', 'if (false) return'],
    ],
  },
  {
    file: 'src/protocol/dialects/lora_cloud.ts',
    tests: POSITIONS,
    rows: [
      ['not found is no error', 'errors: row === ERRORS.notFound ? [] : [message]', 'errors: [message]'],
      ['and 200', 'if (row === ERRORS.notFound || row === ERRORS.parseError) return 200;', ''],
    ],
  },
  {
    file: 'src/protocol/dialects/owntracks.ts',
    tests: ['test/api/dialects/owntracks.test.ts'],
    rows: [['nothing found is no 200', 'place === undefined ? ERRORS.notFound : placeText(place)', "'{}'"]],
  },
  {
    file: 'src/protocol/dialects/google_geocoding.ts',
    tests: ['test/api/dialects/google_geocoding.test.ts'],
    rows: [
      ['a key that is refused', "row === ERRORS.settingsKeyInvalid) return 'REQUEST_DENIED';", 'false) return "X";'],
      ['no credits', "if (row.status === 403) return 'OVER_DAILY_LIMIT';", ''],
      ['too fast', "if (row.status === 429) return 'OVER_QUERY_LIMIT';", ''],
    ],
  },
  {
    file: 'src/api/transport/key_in_path.ts',
    tests: ['test/api/dialects/keys.test.ts'],
    rows: [['the key in the path wins', 'if (key !== undefined) request.keyInPath = key;', '']],
  },
  {
    file: 'src/accounts/restrictions.ts',
    tests: RESTRICTED,
    rows: [
      ['routes', "if (routes !== undefined && !routes.includes(route)) return 'route';", ''],
      ['origins', "!(origin !== undefined && origins.includes(origin))) return 'place';", "false) return 'place';"],
      ['a key without limits is free', 'routes !== undefined || origins !== undefined || ', ''],
      ['networks', 'networks === undefined || isWithin(listOf(account, networks), address)', 'true'],
      ['a disconnected client is in none', "isIPv6(address) && list.check(address, 'ipv6')", 'true'],
    ],
  },
  {
    file: 'src/writer/key_jobs.ts',
    tests: ['test/api/admin/tenants.test.ts'],
    rows: [['the keys of others', '(tag !== undefined && !account.tags?.includes(tag))', 'false']],
  },
  {
    file: 'src/writer/acting_tenant.ts',
    tests: ['test/api/admin/tenants.test.ts'],
    rows: [
      ['what a tenant may not give', 'if (refused !== undefined) throw', 'if (false) throw'],
      ['its tag stays', '[...new Set([...own, ...(settings.tags ?? [])])]', 'settings.tags'],
      ['the tags of others', 'if (foreign !== undefined) throw', 'if (false) throw'],
      ['what its keys have spent', 'return { account, spent, storedBytes', 'return { account, spent: 0, storedBytes'],
    ],
  },
  {
    file: 'src/accounts/tenant_caps.ts',
    tests: ['test/api/admin/tenants.test.ts'],
    rows: [
      ['caps hold', 'if (own[cap] > left) throw', 'if (false) throw'],
      ['for all keys together', 'rest - takenBy(key)[cap]', 'rest'],
      ['not for what takes no more', 'own[cap] <= takenBy(before)[cap]', 'false'],
    ],
  },
  {
    file: 'src/api/other_service.ts',
    tests: ['test/api/upstream.test.ts'],
    rows: [
      ['few questions at once', 'this.underWay >= this.limits.atOnce || ', ''],
      ['it rests after failures', ' || performance.now() < this.restsUntilMs) return', ') return'],
      ['a success forgets failures', 'this.failures = 0;\n      return text;', 'return text;'],
      ['not found is no failure', 'if (response.status === NOT_FOUND) return undefined;', ''],
      ['answers have a length', 'if (length > ANSWER_BYTES_MAX) throw', 'if (false) throw'],
    ],
  },
];
