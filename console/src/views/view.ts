// What a view is.

import type { ComponentType } from 'preact';
import type { IconName } from '../ui/icon.tsx';

/** A view of the console. */
export interface View {
  /** Its part of the address. */
  id: string;
  title: string;
  load(): Promise<{ default: ComponentType }>;
}

/** A view in the rail. */
export interface RailView extends View {
  /** Its icon, too. */
  id: IconName;
}
