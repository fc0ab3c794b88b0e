// A request that is refused although its form is right.

/** Why it is refused, for people, and with which status. */
export class Refused extends Error {
  readonly status: number;
  /** Name of the parameter that is wrong, where it is one. */
  readonly parameter: string | undefined;

  constructor(status: number, message: string, parameter?: string) {
    super(message);
    this.status = status;
    this.parameter = parameter;
  }
}
