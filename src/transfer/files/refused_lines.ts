// Collects the lines that an import refuses. A bad line never stops an import: it is counted under the rule that it
// breaks, and the first few are kept with their messages, so that an operator sees at once whether one line or the
// whole file is at fault.

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

/** A file of which less than half was taken, or nothing was found: mostly it is in another form than it seems. */
export interface MostlyRefused {
  file: string;
  /** 0 where nothing in it is a row. */
  rows: number;
  taken: number;
  /**
   * What was wrong most often, as said of the first such row, and the rows of which it is true; without rows, what was
   * seen instead.
   */
  reason: string;
  reasonRows: number;
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

/** Counts the rows of one file that are taken, and the others by what is wrong with them. */
export class RowTally {
  private taken = 0;
  private readonly refused = new Map<string, { rows: number; reason: string }>();

  take(rows: number): void {
    this.taken += rows;
  }

  /** @param reason asked for the first row that breaks the rule */
  refuse(rule: string, rows: number, reason: () => string): void {
    const known = this.refused.get(rule);
    if (known === undefined) this.refused.set(rule, { rows, reason: reason() });
    else known.rows += rows;
  }

  /** Undefined where at least half was taken. @param seen what is in a file without rows; undefined = it is empty */
  mostlyRefused(file: string, seen: () => string | undefined): MostlyRefused | undefined {
    const refused = [...this.refused.values()];
    const rows = refused.reduce((sum, each) => sum + each.rows, this.taken);
    const reason = rows === 0 ? seen() : undefined;
    if (reason !== undefined) return { file, rows, taken: 0, reason, reasonRows: 0 };
    if (this.taken * 2 >= rows) return undefined;
    const most = refused.reduce((a, b) => (b.rows > a.rows ? b : a));
    return { file, rows, taken: this.taken, reason: most.reason, reasonRows: most.rows };
  }
}

/** @throws Error where nothing was found in any file, saying what was seen in the first */
export function requireRows(rows: number, files: readonly MostlyRefused[]): void {
  if (rows === 0 && files.length > 0) throw new Error(describeEmpty(files[0]));
}

/** A file in which nothing was found, in words. */
export function describeEmpty({ file, reason }: MostlyRefused): string {
  return `${file} holds nothing to import: ${reason}.`;
}
