// How the decisions for an error may break, and the rows of the table.

import type { Mutations } from './mutations.ts';

const HTTP = ['test/api/http_errors.test.ts'];

export const ERRORS: readonly Mutations[] = [
  {
    file: 'src/protocol/errors.ts',
    tests: ['test/protocol/errors.test.ts'],
    rows: [
      ['status', 'status: 408', 'status: 400'],
      ['domain', "status: 404, domain: 'geolocation'", "status: 404, domain: 'global'"],
      ['reason', "reason: 'strayLimitExceeded'", "reason: 'userRateLimitExceeded'"],
      ['a message belongs to one answer', 'BODIES.set(row, start);', "BODIES.set(row, '{');"],
    ],
  },
  {
    file: 'src/api/admission.ts',
    tests: [...HTTP, 'test/api/country.test.ts', 'test/api/key_fields.test.ts', 'test/api/restricted_keys.test.ts'],
    rows: [
      [
        'keyInvalid',
        "if (typeof account === 'string') throw new ApiError(ERRORS.keyInvalid)",
        "if (typeof account === 'string') throw new ApiError(ERRORS.parseError)",
      ],
      ['userRateLimitExceeded', 'if (wait > 0) throw tooFast(exchange, wait);', ''],
      ['its Retry-After', "transport.setHeader('retry-after', seconds);", ''],
      [
        'creditsExceeded',
        'if (!mayBeFree && !billing.covers(account.id, 1)) throw new ApiError(ERRORS.creditsExceeded);',
        '',
      ],
      ['accessNotConfigured', "if (refusal === 'route') throw new ApiError(ERRORS.accessNotConfigured);", ''],
      ['ipRefererBlocked', "if (refusal === 'place') throw new ApiError(ERRORS.ipRefererBlocked);", ''],
      ['deviceLimitExceeded', 'if (!admits) throw new ApiError(ERRORS.deviceLimitExceeded);', ''],
    ],
  },
  {
    file: 'src/api/transport/transport.ts',
    // Where there is no anonymous key, both are refused with the same words.
    tests: ['test/api/compatibility.test.ts'],
    rows: [['a key of null is none', "|| key === 'null' ", '']],
  },
  {
    file: 'src/api/server.ts',
    tests: HTTP,
    rows: [
      [
        'pathNotFound',
        'if (methods === undefined) exchange.fail(ERRORS.pathNotFound);',
        'if (methods === undefined) exchange.fail(ERRORS.notFound);',
      ],
      ['methodNotAllowed', 'exchange.fail(ERRORS.methodNotAllowed);', 'exchange.fail(ERRORS.pathNotFound);'],
      ['its Allow', "reply.header('allow', methods);", ''],
      ['headers too large', "['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],", ''],
    ],
  },
  {
    file: 'src/protocol/requests/body.ts',
    tests: ['test/protocol/requests/body.test.ts'],
    rows: [
      ['encodingUnsupported', "if (name !== 'deflate') throw new ApiError(ERRORS.encodingUnsupported);", ''],
      [
        'larger than the cap when inflated',
        "if (code === 'ERR_BUFFER_TOO_LARGE') return tooLargeInflated(capBytes);",
        '',
      ],
      [
        'a lack of memory is ours',
        "if (code === 'Z_MEM_ERROR' || code.startsWith('ERR__ERROR_ALLOC')) return error;",
        '',
      ],
      ['white space is an empty body', "if (text.trim() === '') return {};", ''],
      ['__proto__', "if (key === '__proto__') throw", 'if (false) throw'],
      ['constructor.prototype', "if (key === 'constructor' && ", 'if (false && '],
      ['spelled by escapes', " || text.includes('\\\\u00')", ''],
      ['a bare stream is deflate too', "return isZlib ? 'zlib' : 'raw'", "return 'zlib'"],
    ],
  },
  {
    file: 'src/protocol/requests/body.ts',
    tests: HTTP,
    rows: [['deep nests in large bodies', 'if (bytes.length > SMALL_BYTES) new ShapeCheck().read(bytes);', '']],
  },
  {
    file: 'src/api/gather_body.ts',
    tests: ['test/api/gather_body.test.ts'],
    rows: [
      ['requestTimeout', 'reject(new ApiError(ERRORS.requestTimeout));', 'reject(new ApiError(ERRORS.parseError));'],
      [
        'a body that breaks off',
        "new ApiError(ERRORS.parseError, 'The body breaks off.')",
        'new ApiError(ERRORS.internalError)',
      ],
      ['bodyTooLarge', '() => new ApiError(ERRORS.bodyTooLarge),', '() => new ApiError(ERRORS.parseError),'],
    ],
  },
  {
    file: 'src/api/exchange.ts',
    tests: ['test/api/server_faults.test.ts'],
    rows: [
      ['backendError says when', "if (row === ERRORS.backendError) this.transport.setHeader('retry-after', 1);", ''],
      [
        'our faults reach the operator',
        'if (!(error instanceof ApiError)) this.context.onError((error as Error).stack ?? String(error));',
        '',
      ],
    ],
  },
  {
    file: 'src/api/hop.ts',
    tests: ['test/api/server_faults.test.ts'],
    rows: [
      [
        'backendError',
        'if (located === undefined) throw new ApiError(ERRORS.backendError);',
        'if (located === undefined) throw new ApiError(ERRORS.internalError);',
      ],
      [
        'internalError',
        'if (located.isFailed) throw new ApiError(ERRORS.internalError);',
        'if (located.isFailed) throw new ApiError(ERRORS.backendError);',
      ],
    ],
  },
  {
    file: 'src/api/submission.ts',
    tests: ['test/api/submission.test.ts'],
    rows: [
      ['storageExceeded', 'throw new ApiError(ERRORS.storageExceeded)', 'throw new ApiError(ERRORS.creditsExceeded)'],
      ['more items than the rate ever admits', 'if (items > most) {', 'if (false) {'],
      ['items too soon', 'if (wait > 0) throw tooFast(exchange, wait);', ''],
    ],
  },
  {
    file: 'src/api/position.ts',
    tests: ['test/api/tracking.test.ts', 'test/service/credits.test.ts'],
    rows: [['what a device cannot have reached', 'position === undefined || isTooFast', 'position === undefined']],
  },
  {
    file: 'src/api/position.ts',
    tests: ['test/api/tracking.test.ts'],
    rows: [
      [
        'settingsKeyInvalid',
        "if (state === 'foreign') throw new ApiError(ERRORS.settingsKeyInvalid);",
        "if (state === 'foreign') return undefined;",
      ],
    ],
  },
  {
    file: 'src/api/places.ts',
    tests: ['test/api/place_batch.test.ts'],
    rows: [
      [
        'a list that the balance does not cover',
        'if (price > 0 && !billing.covers(account.id, price)) return ERRORS.creditsExceeded;',
        '',
      ],
    ],
  },
  {
    file: 'src/api/position_batch.ts',
    tests: ['test/api/position_batch.test.ts'],
    rows: [
      ['a position that is too large', 'if (this.bytes.length > POSITION_BYTES_MAX)', 'if (false)'],
      [
        'each position has the rate',
        'if (context.counters.admit(account.id, account.ratePerSecond, timeMs) > 0)',
        'if (false)',
      ],
    ],
  },
  {
    file: 'src/api/places.ts',
    tests: ['test/api/country.test.ts'],
    rows: [['notFound costs nothing', 'if (country === undefined) return ERRORS.notFound;\n', '\n']],
  },
  {
    file: 'src/api/trail.ts',
    tests: ['test/api/trail.test.ts'],
    rows: [
      [
        'only who may ask',
        "if (account.trail !== true) throw new ApiError(ERRORS.settingsKeyInvalid, 'This key may not ask for trails.');",
        '',
      ],
    ],
  },
];
