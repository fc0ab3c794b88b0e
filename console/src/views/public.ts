// The views that the public page has: two that the console has too, which show answers and nothing of the service, and
// what all may know of the stations.

import { strings } from '../strings.ts';
import type { View } from './view.ts';

/** Those that the console has too, in the order of the rail. */
export const SHARED_VIEWS: readonly View[] = [
  { id: 'try', title: strings.try.title, load: () => import('./try/view.tsx') },
  { id: 'map', title: strings.map.title, load: () => import('./map/view.tsx') },
];

/** All views of the public page. */
export const PUBLIC_VIEWS: readonly View[] = [
  ...SHARED_VIEWS,
  { id: 'coverage', title: strings.coverage.title, load: () => import('./statistics/view.tsx') },
];
