// What a view is.

import type { ComponentType } from 'preact';
import type { IconName } from '../ui/icon.tsx';

/** A view of the console. */
export interface View {
  /** Its part of the address, and its icon. */
  id: IconName;
  title: string;
  load(): Promise<{ default: ComponentType }>;
}
