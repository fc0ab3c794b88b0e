// Evaluations against teachable services, in whose time every pause is over at once, of tracks along a drawn street.

import type { Evaluation } from '../../../lab/evaluation/evaluate.ts';
import { cellLine, YEAR_2000_MS } from './scan_folder.ts';
import { TeachableService } from './teachable_service.ts';

/**
 * An evaluation with a new service for each part. @param services takes the services, for the test to look into and
 * stop
 */
export function teachableEvaluation(services: TeachableService[], options: Partial<Evaluation> = {}): Evaluation {
  let now = 0;
  return {
    folds: [1, 2, 3, 4],
    isTrained: true,
    isFollowed: false,
    async withService(part) {
      const service = await TeachableService.start();
      services.push(service);
      return part(service);
    },
    clock: {
      now: () => now,
      async sleep(milliseconds) {
        now += milliseconds;
      },
    },
    onProgress() {},
    ...options,
  };
}

/** Twenty tracks of ten scans along a street; each hears the cell of its number. */
export function street(): object[] {
  return Array.from({ length: 200 }, (_, i) =>
    cellLine(`track ${i % 20}`, 50 + i / 10_000, 4, Math.floor(i / 40), YEAR_2000_MS + 1000 * i),
  );
}
