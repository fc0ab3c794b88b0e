// The views that the public page has too: they show answers, and nothing of the service.

import { strings } from '../strings.ts';
import type { View } from './view.ts';

/** The views, in the order of the rail. */
export const PUBLIC_VIEWS: readonly View[] = [
  { id: 'try', title: strings.try.title, load: () => import('./try/view.tsx') },
  { id: 'map', title: strings.map.title, load: () => import('./map/view.tsx') },
];
