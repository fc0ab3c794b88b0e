// Tables of figures as text.

/** A table. */
export interface TextTable {
  /** Number of columns with names; the others have figures. */
  names: number;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A table with names aligned left and figures right. Each line ends with a line break. */
export function aligned({ names, columns, rows }: TextTable): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const texts = lines.map(line =>
    line
      .map((cell, column) => (column < names ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  '),
  );
  return `${texts.join('\n')}\n`;
}

/** A length in metres. A dash means that there is no figure. */
export function metres(value: number | null): string {
  return value === null ? '-' : value.toFixed(value < 100 ? 1 : 0);
}

/** A share 0..1 in percent. A dash means that there is no figure. */
export function percent(share: number | null, decimals = 1): string {
  return share === null ? '-' : `${(100 * share).toFixed(decimals)} %`;
}
