// Collects the lines that an import refuses. A bad line never stops an import: it is counted under the rule that it breaks, and the first few are kept with
// their messages, so that an operator sees at once whether one line or the whole file is at fault.

/** Why a line is refused: the rule it breaks, and the error message for this line. */
export interface Refusal {
  /** Short name of the rule, one of a fixed set for each type of file. */
  rule: string;
  /** What is wrong on this line, naming the field and its value. */
  why: string;
}

/** One refused line, for the summary. */
export interface RefusedLine {
  file: string;
  /** Counted from 1. */
  line: number;
  why: string;
}

const LINES_KEPT = 5;

/** Counts refused lines by rule and keeps the first five. */
export class Refusals {
  /** All refused lines. */
  total = 0;
  /** Lines by rule, in the order in which the rules were first broken. */
  readonly byRule: Record<string, number> = {};
  readonly firstLines: RefusedLine[] = [];

  add(file: string, line: number, refusal: Refusal): void {
    this.total++;
    this.byRule[refusal.rule] = (this.byRule[refusal.rule] ?? 0) + 1;
    this.keep(file, line, () => refusal.why);
  }

  /** Keeps a line that is counted elsewhere, while there is room. */
  keep(file: string, line: number, why: () => string): void {
    if (this.firstLines.length < LINES_KEPT) this.firstLines.push({ file, line, why: why() });
  }
}
