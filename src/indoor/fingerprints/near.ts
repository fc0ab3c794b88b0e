// Which of many points of a floor are near to another one: by the square of a grid in which they lie.

interface Point {
  eastMetres: number;
  northMetres: number;
}

/** Rows of a column of the grid, more than there are. */
const ROWS = 2 ** 26;

/** Points, by where they are. */
export class NearPoints {
  private readonly points: readonly Point[];
  private readonly squareMetres: number;
  private readonly squares = new Map<number, number[]>();

  /** @param squareMetres side of a square: about the distance that is asked for */
  constructor(points: readonly Point[], squareMetres: number) {
    this.points = points;
    this.squareMetres = squareMetres;
    for (const [i, { eastMetres, northMetres }] of points.entries()) {
      const name = this.column(eastMetres) * ROWS + this.column(northMetres);
      const square = this.squares.get(name);
      if (square === undefined) this.squares.set(name, [i]);
      else square.push(i);
    }
  }

  /** Indices of the points within a distance. */
  within(eastMetres: number, northMetres: number, metres: number): number[] {
    const found: number[] = [];
    for (let column = this.column(eastMetres - metres); column <= this.column(eastMetres + metres); column++) {
      for (let row = this.column(northMetres - metres); row <= this.column(northMetres + metres); row++) {
        for (const i of this.squares.get(column * ROWS + row) ?? []) {
          const { eastMetres: east, northMetres: north } = this.points[i];
          if (Math.hypot(east - eastMetres, north - northMetres) <= metres) found.push(i);
        }
      }
    }
    return found;
  }

  private column(metres: number): number {
    return Math.floor(metres / this.squareMetres);
  }
}
