// What calls throw. The class says what a program can do about it; `reason` is that of the service's error table.

/** Any failure of a call. */
export class SextantError extends Error {
  override readonly name: string = 'SextantError';
  /** HTTP status; 0 if the service did not answer. */
  readonly status: number;
  /** Name of the error, as `keyInvalid`; `unreachable` if the service did not answer. */
  readonly reason: string;
  /** Number of the request in the service's log. */
  readonly logId: number | undefined;

  constructor(message: string, status: number, reason: string, logId?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.reason = reason;
    this.logId = logId;
  }
}

/** Nothing is known of these stations, this point or this device. */
export class NotFoundError extends SextantError {
  override readonly name = 'NotFoundError';
}

/** The key is wrong, has ended, has no credits left, or may not do this. */
export class KeyRefusedError extends SextantError {
  override readonly name = 'KeyRefusedError';
}

/** The key has a rate, and asks too fast; thrown when further tries were of no use. */
export class TooFastError extends SextantError {
  override readonly name = 'TooFastError';
}

/** The service is down, busy or broken; thrown when further tries were of no use. */
export class UnavailableError extends SextantError {
  override readonly name = 'UnavailableError';
}

interface ErrorBody {
  error?: { message?: string; errors?: { reason?: string }[] };
  logId?: number;
}

const KEY_REASONS = new Set(['keyInvalid', 'creditsExceeded', 'deviceLimitExceeded', 'accessNotConfigured']);

/** The error of an answer. @param body parsed; whatever a proxy before the service sends */
export function errorOf(status: number, body: unknown): SextantError {
  const { error, logId } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const message = error?.message ?? `The service answered ${status}.`;
  const reason = error?.errors?.[0]?.reason ?? `status${status}`;
  const known: [boolean, typeof SextantError][] = [
    [reason === 'notFound', NotFoundError],
    [status === 403 || KEY_REASONS.has(reason), KeyRefusedError],
    [status === 429, TooFastError],
    [status >= 500, UnavailableError],
  ];
  const Class = known.find(([isIt]) => isIt)?.[1] ?? SextantError;
  return new Class(message, status, reason, logId);
}
