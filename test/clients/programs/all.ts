// All programs, in the order in which they are tried.

import type { Program } from '../program.ts';
import { BROWSER_CONTROLS } from './browser.ts';
import { CARGO } from './cargo.ts';
import { DEBIAN } from './debian.ts';
import { JAVA } from './java.ts';
import { NODE } from './node.ts';
import { PYTHON } from './python.ts';
import { RADIOS } from './radios.ts';

export const PROGRAMS: readonly Program[] = [
  ...PYTHON,
  ...NODE,
  ...BROWSER_CONTROLS,
  ...DEBIAN,
  ...RADIOS,
  ...JAVA,
  ...CARGO,
];
