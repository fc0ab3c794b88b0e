// A request that is refused although its form is right.

/** Why it is refused, for people, and with which status. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
