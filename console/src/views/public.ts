// The views that the public page has: two that the console has too, which show answers and nothing of the service, and
// what all may know of the stations.

import { strings } from '../strings.ts';
import type { RailView, View } from './view.ts';

/** Those that the console has too, in the order of the rail. */
export const SHARED_VIEWS: readonly RailView[] = [
  { id: 'try', title: strings.try.title, load: () => import('./try/view.tsx') },
  { id: 'map', title: strings.map.title, load: () => import('./map/view.tsx') },
];

/** Those of the public page, in the order of the rail. */
export const PUBLIC_VIEWS: readonly RailView[] = [
  ...SHARED_VIEWS,
  { id: 'coverage', title: strings.coverage.title, load: () => import('./statistics/view.tsx') },
];

/** Those that results lead to. */
export const PUBLIC_PAGES: readonly View[] = [
  { id: 'place', title: strings.place.title, load: () => import('./place/view.tsx') },
];
