// The views, in the order of the rail. A view is a folder with a component as the default export of view.tsx; it is
// loaded when it is opened, and may be left at any time.

import type { ComponentType } from 'preact';
import { strings } from '../strings.ts';
import type { IconName } from '../ui/icon.tsx';

/** A view of the console. */
export interface View {
  /** Its part of the address, and its icon. */
  id: IconName;
  title: string;
  load(): Promise<{ default: ComponentType }>;
}

/** All views; the first one is shown where the address names none. */
export const VIEWS: readonly View[] = [
  { id: 'start', title: strings.start.title, load: () => import('./start/view.tsx') },
  { id: 'try', title: strings.try.title, load: () => import('./try/view.tsx') },
  { id: 'map', title: strings.map.title, load: () => import('./map/view.tsx') },
  { id: 'coverage', title: strings.coverage.title, load: () => import('./coverage/view.tsx') },
  { id: 'buildings', title: strings.buildings.title, load: () => import('./buildings/view.tsx') },
  { id: 'operate', title: strings.operate.title, load: () => import('./operate/view.tsx') },
];
