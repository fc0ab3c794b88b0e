// The twin of clustering in plain JavaScript, over typed arrays and without allocation, to which the compiled core is compared. Algorithms and constants are the
// same; wasm/cluster.ts, wasm/cluster_linkage.ts and wasm/cluster_balls.ts explain them.

import { CELLS_TO_A_CUT, FEWEST_SLOTS, HASH_COLUMN, HASH_MIX, HASH_ROW } from '../../wasm/cluster_constants.ts';
import { MAX_LINKED, MAX_POSITIONS } from '../../wasm/memory.ts';

const heads = new Int32Array(2 * MAX_POSITIONS);
let mask = 0;
const next = new Int32Array(MAX_POSITIONS);
const order = new Int32Array(MAX_POSITIONS);
const columns = new Int32Array(MAX_POSITIONS);
const rows = new Int32Array(MAX_POSITIONS);
const firsts = new Int32Array(MAX_POSITIONS);
const sizes = new Int32Array(MAX_POSITIONS);
const densities = new Int32Array(MAX_POSITIONS);
const tally = new Int32Array(MAX_POSITIONS + 2);
const numbers = new Int32Array(MAX_POSITIONS);
const matrix = new Float64Array(MAX_LINKED * MAX_LINKED);
const chain = new Int32Array(MAX_LINKED);
const active = new Int32Array(MAX_LINKED);

/** Fills `clusters` for the positions `0..count-1`. @returns the number of clusters */
export function clusterPlainly(east: Float64Array, north: Float64Array, clusters: Int32Array, count: number, cut: number): number {
  let [west, eastmost, south, northmost] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    west = Math.min(west, east[i]);
    eastmost = Math.max(eastmost, east[i]);
    south = Math.min(south, north[i]);
    northmost = Math.max(northmost, north[i]);
  }
  if ((eastmost - west) ** 2 + (northmost - south) ** 2 <= cut * cut) {
    clusters.fill(0, 0, count);
    return 1;
  }
  if (count <= MAX_LINKED) linkParts(east, north, clusters, count, cut, west, south);
  else layBalls(east, north, clusters, count, cut, west, south);
  numbers.fill(-1, 0, count);
  let found = 0;
  for (let i = 0; i < count; i++) {
    const name = clusters[i];
    if (numbers[name] < 0) numbers[name] = found++;
    clusters[i] = numbers[name];
  }
  return found;
}

function linkParts(
  east: Float64Array,
  north: Float64Array,
  clusters: Int32Array,
  count: number,
  cut: number,
  west: number,
  south: number,
): void {
  const cells = fillGrid(east, north, count, cut, west, south);
  let start = 0;
  for (let c = 0; c < cells; c++) {
    if (firsts[c] < 0) continue;
    let end = takeCell(c, start);
    let waiting = 1;
    tally[0] = c;
    while (waiting > 0) {
      const here = tally[--waiting];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const other = heads[slotOf(columns[here] + dx, rows[here] + dy)];
          if (other < 0 || firsts[other] < 0) continue;
          end = takeCell(other, end);
          tally[waiting++] = other;
        }
      }
    }
    if (isWithin(east, north, start, end, cut * cut)) for (let k = start; k < end; k++) clusters[order[k]] = order[start];
    else linkCompletely(east, north, clusters, start, end - start, cut * cut);
    start = end;
  }
}

function takeCell(c: number, end: number): number {
  for (let i = firsts[c]; i >= 0; i = next[i]) order[end++] = i;
  firsts[c] = -1;
  return end;
}

function isWithin(east: Float64Array, north: Float64Array, start: number, end: number, cut2: number): boolean {
  let [west, eastmost, south, northmost] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = start; k < end; k++) {
    west = Math.min(west, east[order[k]]);
    eastmost = Math.max(eastmost, east[order[k]]);
    south = Math.min(south, north[order[k]]);
    northmost = Math.max(northmost, north[order[k]]);
  }
  return (eastmost - west) ** 2 + (northmost - south) ** 2 <= cut2;
}

function linkCompletely(east: Float64Array, north: Float64Array, clusters: Int32Array, start: number, count: number, cut2: number): void {
  for (let i = 0; i < count; i++) {
    const position = order[start + i];
    clusters[position] = position;
    active[i] = i;
    for (let j = 0; j < i; j++) {
      const other = order[start + j];
      const dx = east[position] - east[other];
      const dy = north[position] - north[other];
      const d2 = dx * dx + dy * dy;
      matrix[i * MAX_LINKED + j] = d2;
      matrix[j * MAX_LINKED + i] = d2;
    }
  }
  let alive = count;
  let length = 0;
  while (alive > 0) {
    if (length === 0) chain[length++] = active[0];
    const tip = chain[length - 1];
    const before = length > 1 ? chain[length - 2] : -1;
    let nearest = before;
    let best = before >= 0 ? matrix[tip * MAX_LINKED + before] : Infinity;
    for (let k = 0; k < alive; k++) {
      const other = active[k];
      const d2 = matrix[tip * MAX_LINKED + other];
      if (other !== tip && d2 < best) {
        best = d2;
        nearest = other;
      }
    }
    if (nearest < 0 || best > cut2) {
      alive = deactivate(tip, alive);
      length--;
    } else if (nearest === before) {
      clusters[order[start + tip]] = order[start + before];
      alive = deactivate(tip, alive);
      for (let k = 0; k < alive; k++) {
        const other = active[k];
        const d2 = Math.max(matrix[before * MAX_LINKED + other], matrix[tip * MAX_LINKED + other]);
        matrix[before * MAX_LINKED + other] = d2;
        matrix[other * MAX_LINKED + before] = d2;
      }
      length -= 2;
    } else {
      chain[length++] = nearest;
    }
  }
  for (let i = 0; i < count; i++) {
    const position = order[start + i];
    let root = position;
    while (clusters[root] !== root) root = clusters[root];
    clusters[position] = root;
  }
}

function deactivate(name: number, alive: number): number {
  let k = 0;
  while (active[k] !== name) k++;
  active[k] = active[alive - 1];
  return alive - 1;
}

function layBalls(
  east: Float64Array,
  north: Float64Array,
  clusters: Int32Array,
  count: number,
  cut: number,
  west: number,
  south: number,
): void {
  const cells = fillGrid(east, north, count, cut / CELLS_TO_A_CUT, west, south);
  tally.fill(0, 0, count + 2);
  for (let c = 0; c < cells; c++) {
    densities[c] = densityAround(c);
    tally[densities[c]]++;
  }
  let before = 0;
  for (let density = count; density >= 0; density--) {
    const here = tally[density];
    tally[density] = before;
    before += here;
  }
  for (let c = 0; c < cells; c++) order[tally[densities[c]]++] = c;
  for (let k = 0; k < cells; k++) if (firsts[order[k]] >= 0) takeBall(east, north, clusters, order[k], cut * cut);
}

function fillGrid(east: Float64Array, north: Float64Array, count: number, side: number, west: number, south: number): number {
  let slots = FEWEST_SLOTS;
  while (slots < 2 * count) slots *= 2;
  mask = slots - 1;
  heads.fill(-1, 0, slots);
  let cells = 0;
  for (let i = 0; i < count; i++) {
    const column = Math.trunc((east[i] - west) / side);
    const row = Math.trunc((north[i] - south) / side);
    const slot = slotOf(column, row);
    let c = heads[slot];
    if (c < 0) {
      c = cells++;
      heads[slot] = c;
      columns[c] = column;
      rows[c] = row;
      firsts[c] = -1;
      sizes[c] = 0;
    }
    next[i] = firsts[c];
    firsts[c] = i;
    sizes[c]++;
  }
  return cells;
}

function slotOf(column: number, row: number): number {
  let hash = (Math.imul(column, HASH_COLUMN) + Math.imul(row, HASH_ROW)) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, HASH_MIX);
  let slot = (hash ^ (hash >>> 13)) & mask;
  for (let c = heads[slot]; c >= 0 && (columns[c] !== column || rows[c] !== row); c = heads[slot]) slot = (slot + 1) & mask;
  return slot;
}

function densityAround(c: number): number {
  let density = 0;
  for (let dy = -CELLS_TO_A_CUT; dy <= CELLS_TO_A_CUT; dy++) {
    for (let dx = -CELLS_TO_A_CUT; dx <= CELLS_TO_A_CUT; dx++) {
      if (dx * dx + dy * dy > CELLS_TO_A_CUT * CELLS_TO_A_CUT) continue;
      const other = heads[slotOf(columns[c] + dx, rows[c] + dy)];
      if (other >= 0) density += sizes[other];
    }
  }
  return density;
}

function takeBall(east: Float64Array, north: Float64Array, clusters: Int32Array, c: number, cut2: number): void {
  const name = firsts[c];
  let x = 0;
  let y = 0;
  let free = 0;
  for (let i = name; i >= 0; i = next[i]) {
    x += east[i];
    y += north[i];
    free++;
  }
  x /= free;
  y /= free;
  for (let dy = -CELLS_TO_A_CUT; dy <= CELLS_TO_A_CUT; dy++) {
    for (let dx = -CELLS_TO_A_CUT; dx <= CELLS_TO_A_CUT; dx++) {
      const other = heads[slotOf(columns[c] + dx, rows[c] + dy)];
      if (other < 0) continue;
      let kept = -1;
      for (let i = firsts[other]; i >= 0; ) {
        const following = next[i];
        const ex = east[i] - x;
        const ey = north[i] - y;
        if (ex * ex + ey * ey <= cut2) {
          clusters[i] = name;
        } else {
          next[i] = kept;
          kept = i;
        }
        i = following;
      }
      firsts[other] = kept;
    }
  }
}
