// Icons: lines of 24 by 24, drawn with the colour of the text.

/** The lines of each icon. */
const PATHS = {
  start: 'M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  try: 'M4 17l6-5-6-5M12 19h8',
  map: 'M9 4 3 6.5v13L9 17l6 3 6-2.5v-13L15 7 9 4zM9 4v13M15 7v13',
  coverage: 'M12 20v-7M8.5 16a5 5 0 1 1 7 0M5.6 18.8a9 9 0 1 1 12.8 0',
  buildings: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  devices: 'M8 3h8v18H8zM11 18h2',
  operate: 'M4 19V5M4 19h16M8 15l3.5-4.5 3 2.5L20 7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5 10 17 19 7',
  close: 'M6 6l12 12M18 6 6 18',
  before: 'M15 5l-7 7 7 7',
  after: 'M9 5l7 7-7 7',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  refresh: 'M20 12a8 8 0 1 1-2.3-5.6M20 4v4h-4',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.4v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 7.6v.1',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6L12 17',
  light: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  logout: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  key: 'M8 16a4 4 0 1 1 3.6-5.8H21V14h-3v2h-4v-2h-2.4A4 4 0 0 1 8 16zM8 12v.1',
  pin: 'M12 21s-7-6.3-7-11a7 7 0 0 1 14 0c0 4.7-7 11-7 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon; what it means is said beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
