// The cells of an area, for keys with the setting `cells`. No other station is ever told by its place.

import { Slices } from '../pool/slices.ts';
import { ERRORS, type ErrorRow } from '../protocol/errors.ts';
import type { CellArea, CellsInArea } from '../protocol/requests/cell_area.ts';
import { listCells } from '../tasks/list_cells.ts';
import { admit } from './admission.ts';
import type { Exchange, RouteContext } from './exchange.ts';
import { runTask } from './hop.ts';

/** Price of their number; each cell that is told costs as much. */
const CELL_CREDITS = 1;
/** Memory counted for a question and its answer while they wait. */
const QUESTION_BYTES = 262_144;

/** @returns the cells, already paid for, or the error that takes their place */
export async function answerCells(
  context: RouteContext,
  exchange: Exchange,
  area: CellArea,
): Promise<CellsInArea | ErrorRow> {
  const { billing, compute } = context;
  const account = await admit(context, exchange);
  if (account.cells !== true) return ERRORS.accessNotConfigured;
  const question = { folder: compute.folder, area };
  const found = compute.hasWorkers
    ? await runTask(compute, account.id, 'cells', question, QUESTION_BYTES)
    : await listCells(compute.answererHere, question, new Slices());
  const price = area.limit === 0 ? CELL_CREDITS : found.cells.length * CELL_CREDITS;
  if (price > 0 && !(await billing.charge(account.id, price))) return ERRORS.creditsExceeded;
  exchange.credits = price;
  return found;
}
