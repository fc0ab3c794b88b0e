// The views, in the order of the rail. A view is a folder with a component as the default export of view.tsx; it is
// loaded when it is opened, and may be left at any time.

import { strings } from '../strings.ts';
import { PUBLIC_PAGES, SHARED_VIEWS } from './public.ts';
import type { RailView, View } from './view.ts';

/** Those in the rail. */
export const VIEWS: readonly RailView[] = [
  { id: 'start', title: strings.start.title, load: () => import('./start/view.tsx') },
  ...SHARED_VIEWS,
  { id: 'coverage', title: strings.coverage.title, load: () => import('./coverage/view.tsx') },
  { id: 'devices', title: strings.devices.title, load: () => import('./devices/view.tsx') },
  { id: 'buildings', title: strings.buildings.title, load: () => import('./buildings/view.tsx') },
  { id: 'operate', title: strings.operate.title, load: () => import('./operate/view.tsx') },
];

/** Those that others lead to. */
export const PAGES: readonly View[] = [
  ...PUBLIC_PAGES,
  { id: 'tables', title: strings.tables.title, load: () => import('./tables/view.tsx') },
];
