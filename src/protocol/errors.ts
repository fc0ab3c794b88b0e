// The table of errors, and the body of an error. Every error has the form of the specification, even before
// authentication. Its message may name the field at fault; its code and reason never vary.

/** One kind of error as the client sees it. */
export interface ErrorRow {
  /** HTTP status and `error.code`. */
  readonly status: number;
  readonly domain: 'global' | 'usageLimits' | 'geolocation';
  readonly reason: string;
  /** Used when the route has no more exact message. */
  readonly message: string;
}

/** All errors. The routes of 405, 429 and 503 add Allow and Retry-After. */
export const ERRORS = {
  /** The body does not parse, or its structure is wrong. */
  parseError: { status: 400, domain: 'global', reason: 'parseError', message: 'Parse Error' },
  /** The key is missing, unknown, revoked or expired. */
  keyInvalid: { status: 400, domain: 'usageLimits', reason: 'keyInvalid', message: 'Missing or invalid API key.' },
  /** The key's settings or the state token do not fit the key. */
  settingsKeyInvalid: {
    status: 400,
    domain: 'usageLimits',
    reason: 'settingsKeyInvalid',
    message: 'The settings of the key or the state do not fit this key.',
  },
  creditsExceeded: { status: 403, domain: 'usageLimits', reason: 'creditsExceeded', message: 'Out of credits.' },
  deviceLimitExceeded: {
    status: 403,
    domain: 'usageLimits',
    reason: 'deviceLimitExceeded',
    message: 'The number of devices of this key is exceeded for this month.',
  },
  /** The key is limited to other routes. */
  accessNotConfigured: {
    status: 403,
    domain: 'usageLimits',
    reason: 'accessNotConfigured',
    message: 'This key may not be used for this route.',
  },
  /** The key is limited to other pages or networks. */
  ipRefererBlocked: {
    status: 403,
    domain: 'usageLimits',
    reason: 'ipRefererBlocked',
    message: 'This key may not be used from this page or address.',
  },
  /** The reports of the key take all the disk that they may. */
  storageExceeded: {
    status: 403,
    domain: 'usageLimits',
    reason: 'storageExceeded',
    message: 'The reports of this key take all the storage that they may.',
  },
  notFound: { status: 404, domain: 'geolocation', reason: 'notFound', message: 'Not found' },
  /** No such path. */
  pathNotFound: { status: 404, domain: 'global', reason: 'notFound', message: 'Not found' },
  methodNotAllowed: {
    status: 405,
    domain: 'global',
    reason: 'methodNotAllowed',
    message: 'This method is not allowed here.',
  },
  requestTimeout: {
    status: 408,
    domain: 'global',
    reason: 'requestTimeout',
    message: 'The request was not complete in time.',
  },
  bodyTooLarge: { status: 413, domain: 'global', reason: 'bodyTooLarge', message: 'The body is too large.' },
  encodingUnsupported: {
    status: 415,
    domain: 'global',
    reason: 'encodingUnsupported',
    message: 'The content encoding is not supported; send gzip, deflate, br or none.',
  },
  userRateLimitExceeded: {
    status: 429,
    domain: 'usageLimits',
    reason: 'userRateLimitExceeded',
    message: 'Too many requests for this key; slow down.',
  },
  strayLimitExceeded: {
    status: 429,
    domain: 'usageLimits',
    reason: 'strayLimitExceeded',
    message:
      'Too many access points or beacons of this key do not belong with the others of their request; ask by ' +
      'cells or GPS, or wait.',
  },
  internalError: { status: 500, domain: 'global', reason: 'internalError', message: 'Internal server error.' },
  backendError: {
    status: 503,
    domain: 'global',
    reason: 'backendError',
    message: 'The service is busy; try again shortly.',
  },
} as const satisfies { readonly [name: string]: ErrorRow };

/**
 * A mistake of the client, thrown on its way to the reply. It has no stack trace: clients make mistakes every second,
 * and our stack does not explain them.
 */
export class ApiError extends Error {
  readonly row: ErrorRow;

  /** @param message for the client, naming the field; the row's own when left out */
  constructor(row: ErrorRow, message: string = row.message) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.name = 'ApiError';
    this.row = row;
  }
}

/** What an error may need to know of its request. */
interface Asker {
  takeLogId(): number;
  /** Path and query, without a key in the path. */
  readonly url: string;
}

/** A text with its content type. */
interface Worded {
  contentType: string;
  text: string;
}

/** The content type of a route's answers, and the form of its errors. */
export interface Wording {
  contentType: string;
  /** HTTP status of an error; that of its row without. */
  status?(row: ErrorRow): number;
  /**
   * @param asker has the number of the request in the log, for an error that names it, and its address, for one whose
   *   form the request chooses
   * @returns the text, or a text of another type
   */
  error(row: ErrorRow, asker: Asker, message?: string): string | Worded;
}

const BODIES = new Map<ErrorRow, string>();

/**
 * The JSON body of an error.
 * @param logId integer below 2^53
 * @param message replaces the row's message
 */
export function errorBody(row: ErrorRow, logId: number, message: string = row.message): string {
  if (message !== row.message) return `${bodyUpToLogId(row, message)}${logId}}`;
  let start = BODIES.get(row);
  if (start === undefined) {
    start = bodyUpToLogId(row, message);
    BODIES.set(row, start);
  }
  return `${start}${logId}}`;
}

/** The error of one item in a list: the same body without `logId`. */
export function errorItem(row: ErrorRow, message: string = row.message): string {
  return `{"error":${errorObject(row, message)}}`;
}

function bodyUpToLogId(row: ErrorRow, message: string): string {
  return `{"error":${errorObject(row, message)},"logId":`;
}

function errorObject({ status: code, domain, reason }: ErrorRow, message: string): string {
  return JSON.stringify({ errors: [{ domain, reason, message }], code, message });
}
