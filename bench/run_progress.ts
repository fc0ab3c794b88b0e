// Shows how far a long run is: a bar that is redrawn in place on a terminal, a line now and then in logs.

const BAR_CHARACTERS = 30;
const LINE_MS = 15_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Standard error, or anything like it. */
interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** The progress of one run, counted in steps. */
export class RunProgress {
  private readonly output: Output;
  private readonly total: number;
  private readonly now: () => number;
  private done = 0;
  private shownAt = Number.NEGATIVE_INFINITY;
  private part = '';

  /** @param total steps, about @param now milliseconds of a clock that never goes back */
  constructor(output: Output, total: number, now: () => number = () => performance.now()) {
    this.output = output;
    this.total = total;
    this.now = now;
  }

  /** Names what is done now. */
  begin(part: string): void {
    this.part = part;
    this.shownAt = Number.NEGATIVE_INFINITY;
    this.show();
  }

  /** Counts steps that are done, or that are not needed. */
  step(steps = 1): void {
    this.done = Math.min(this.total, this.done + steps);
    this.show();
  }

  end(): void {
    if (this.output.isTTY) this.output.write(CLEAR_LINE);
  }

  private show(): void {
    const share = this.done / this.total;
    const percent = `${Math.floor(100 * share)} %, ${this.part}`;
    if (this.output.isTTY) {
      const filled = Math.floor(share * BAR_CHARACTERS);
      this.output.write(`${CLEAR_LINE}[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}] ${percent}`);
    } else if (this.now() - this.shownAt >= LINE_MS) {
      this.shownAt = this.now();
      this.output.write(`${percent}\n`);
    }
  }
}
