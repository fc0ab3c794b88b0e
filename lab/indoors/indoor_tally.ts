// Counts how right the answers in buildings are: positions, radii, buildings, floors and rooms.

import { distanceMetres } from '../../src/geo/distance.ts';
import type { IndoorAnswer } from '../client.ts';
import { quantile } from '../evaluation/quantile.ts';
import { CONCOURSE, type IndoorScan } from './indoor_scan.ts';

/**
 * The figures of one method on one set. Errors are metres, shares 0..1. A figure is null where a method has no such
 * answers.
 */
export interface IndoorAccuracy {
  tested: number;
  answered: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
  p95: number | null;
  /** Of the answers with a radius. */
  insideShare: number | null;
  /** Of all answers: no floor, and no building, is a wrong one. */
  floorShare: number | null;
  buildingShare: number | null;
  /** Answers with a room, and the share of them whose room is right. */
  rooms: number;
  roomShare: number | null;
  /** The same for answers with a shop: any room but what is between the shops. */
  shops: number;
  shopShare: number | null;
}

/** Collects the answers of one method. */
export class IndoorTally {
  private tested = 0;
  private readonly errors: number[] = [];
  private readonly isInside: boolean[] = [];
  private readonly hasFloor: boolean[] = [];
  private readonly hasBuilding: boolean[] = [];
  private readonly hasRoom: boolean[] = [];
  private readonly hasShop: boolean[] = [];

  /**
   * Adds an answer.
   * @param answer undefined = not answered
   * @param scale metres of the set in one metre
   */
  add(truth: IndoorScan, answer: IndoorAnswer | undefined, scale: number): void {
    this.tested++;
    if (answer === undefined) return;
    const metres = distanceMetres(truth.latitude, truth.longitude, answer.latitude, answer.longitude);
    this.errors.push(scale * metres);
    this.hasFloor.push(answer.floor === truth.floor);
    this.hasBuilding.push(answer.building === truth.building);
    if (answer.accuracyMetres !== undefined) this.isInside.push(metres <= answer.accuracyMetres);
    if (answer.room === undefined || truth.room === undefined) return;
    this.hasRoom.push(answer.room === truth.room);
    if (answer.room !== CONCOURSE) this.hasShop.push(answer.room === truth.room);
  }

  accuracy(): IndoorAccuracy {
    const { errors } = this;
    const metres = (share: number): number | null => (errors.length === 0 ? null : quantile(errors, share));
    return {
      tested: this.tested,
      answered: errors.length,
      mean: errors.length === 0 ? null : errors.reduce((sum, error) => sum + error, 0) / errors.length,
      median: metres(0.5),
      p90: metres(0.9),
      p95: metres(0.95),
      insideShare: shareOf(this.isInside),
      floorShare: shareOf(this.hasFloor),
      buildingShare: shareOf(this.hasBuilding),
      rooms: this.hasRoom.length,
      roomShare: shareOf(this.hasRoom),
      shops: this.hasShop.length,
      shopShare: shareOf(this.hasShop),
    };
  }
}

function shareOf(found: readonly boolean[]): number | null {
  return found.length === 0 ? null : found.filter(Boolean).length / found.length;
}
