// A mutation breaks one rule of the program. Where the tests that are named for it pass nevertheless, nothing holds the
// rule.

import { ACCOUNTS } from './accounts.ts';
import { DIALECTS } from './dialects.ts';
import { ERRORS } from './errors.ts';
import { INTAKE } from './intake.ts';
import { LEARNING } from './learning.ts';
import { PLACES } from './places.ts';
import { PRIVACY } from './privacy.ts';
import { REQUESTS } from './requests.ts';

/** Mutations of one file. */
export interface Mutations {
  readonly file: string;
  /** Those of which one must fail. */
  readonly tests: readonly string[];
  /** The rule, the text that stands once in the file and holds it, and what takes its place. */
  readonly rows: readonly (readonly [rule: string, text: string, replacement: string])[];
}

/** All mutations. */
export const MUTATIONS: readonly Mutations[] = [
  ...LEARNING,
  ...PRIVACY,
  ...INTAKE,
  ...ACCOUNTS,
  ...ERRORS,
  ...REQUESTS,
  ...DIALECTS,
  ...PLACES,
];
