// Tells the operator of failures that fail no job. On a full disk every request may bring one, so those of the disk are
// told once a minute.

import { NotWritten } from '../tables/environment/commit.ts';

const TELL_MILLISECONDS = 60_000;

/** True if an error says that the tables could not be written, itself or by its cause. */
export function isNotWritten(error: unknown): boolean {
  return (
    error instanceof NotWritten || (error instanceof Error && error.cause !== undefined && isNotWritten(error.cause))
  );
}

/** Tells of failures. */
export class Failures {
  private readonly tell: (message: string) => void;
  private readonly now: () => number;
  private toldAtMs = Number.NEGATIVE_INFINITY;
  private untold = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(tell: (message: string) => void, now: () => number = () => performance.now()) {
    this.tell = tell;
    this.now = now;
  }

  /** Tells of a failure: of the disk by its message, at most once a minute; of anything else with its stack. */
  add(error: Error): void {
    if (!isNotWritten(error)) {
      this.tell(error.stack ?? String(error));
      return;
    }
    if (this.now() - this.toldAtMs < TELL_MILLISECONDS) {
      this.untold++;
      return;
    }
    const more = this.untold === 0 ? '' : ` Since the last such line ${this.untold} more writes failed.`;
    this.tell(`${error.message}${more}`);
    this.toldAtMs = this.now();
    this.untold = 0;
  }
}
