import type { ValidateFunction } from 'ajv';
import type { PositionBody } from './schema.ts';

export const fitsPosition: ValidateFunction<PositionBody>;
export const fitsBatch: ValidateFunction<{ items: readonly unknown[] }>;
