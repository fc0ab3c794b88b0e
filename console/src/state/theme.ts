// Light or dark: as the system has it, or as somebody chose.

import { computed, effect, signal } from '@preact/signals';

/** What may be chosen. */
export const THEMES = ['system', 'light', 'dark'] as const;
/** A choice. */
type Theme = (typeof THEMES)[number];

const STORED = 'sextant.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
system.addEventListener('change', () => {
  systemIsDark.value = system.matches;
});

/** What was chosen. */
export const theme = signal<Theme>(THEMES.find(each => each === localStorage.getItem(STORED)) ?? 'system');

/** What is shown: maps and plots follow it. */
export const isDark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

effect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
  if (theme.value === 'system') localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, theme.value);
});
