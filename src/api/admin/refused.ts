// A request of the admin interface that is refused although its form is right.

/** Says why, and with which status. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
