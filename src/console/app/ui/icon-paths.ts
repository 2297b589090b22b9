// Line icons of 16 pixels, drawn here: a handful of paths instead of a library. The server draws
// those of the navigation, so it imports nothing.
export const ICON_PATHS = {
  play: "M5 3.5v9l7.5-4.5z",
  jobs: "M2.5 4h11M2.5 8h11M2.5 12h7",
  agent:
    "M8 2.5v2M4.5 4.5h7a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zM6.2 7.6v1M9.8 7.6v1M5.5 13.5h5",
  live: "M2.5 3.5h11v8h-11zM2.5 6h11M6 14h4",
  changes: "M4 2.5v11M12 2.5v11M4 5h4M8 11h4M6.5 3.5 8 5 6.5 6.5M9.5 9.5 8 11l1.5 1.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2",
  health: "M2 8.5h3l1.5-4 3 7 1.5-3h3",
  key: "M9.5 6.5a3 3 0 1 0-2.7 3l1 1h1.7v1.7h1.7v1.3H13v-2l-3.7-3.7c.1-.4.2-.8.2-1.3zM5.6 6.3h.01",
  docs: "M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M5.5 8h5M5.5 10.5h5",
  start: "M8 2v3M8 11v3M2 8h3M11 8h3M4 4l1.8 1.8M10.2 10.2 12 12M4 12l1.8-1.8M10.2 5.8 12 4",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1",
  dash: "M3.5 8h9",
  run: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  chevron: "M6 4l4 4-4 4",
  down: "M4 6l4 4 4-4",
  plus: "M8 3v10M3 8h10",
  trash: "M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.5 9h6l.5-9",
  up: "M4 10l4-4 4 4",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  help: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6.5 6.4A1.5 1.5 0 1 1 8 8v1M8 11v.1",
  user: "M8 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM3 13.5c.6-2.3 2.6-3.5 5-3.5s4.4 1.2 5 3.5",
  out: "M6.5 3H3v10h3.5M7 8h6.5M11 5.5 13.5 8 11 10.5",
  external: "M6.5 4H3.5v8.5H12V9.5M9 3h4v4M13 3 7.5 8.5",
  download: "M8 2.5v7M5 7l3 3 3-3M3 13h10",
  folder: "M2.5 4h4l1.5 1.5h5.5v7h-11z",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  stop: "M4 4h8v8H4z",
  again: "M3 8a5 5 0 1 1 1.6 3.7M3 13v-2.5h2.5",
  link: "M6.5 9.5 9.5 6.5M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.500 1.5a2.800 2.800 0 0 1-4-4L5 7",
  back: "M10 4 6 8l4 4",
  table: "M2.500 3.500h11v9h-11zM2.500 6.500h11M2.500 9.500h11M6.500 3.500v9",
  tap: "M6.500 7.500V3.800a1.200 1.200 0 0 1 2.400 0v4l3 .7a1.500 1.500 0 0 1 1 1.700l-.5 3.300H7.500L4.200 9.800",
  record:
    "M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  upload: "M8 10V3M5 5.500l3-3 3 3M3 13h10",
  save: "M3 2.500h8l2.500 2.500v8.500h-10.500zM5.500 2.500v3.500h5v-3.500M5.500 13.500v-4.500h5v4.500",
  forward: "M6 4l4 4-4 4",
  more: "M3 7.500h1v1h-1zM7.500 7.500h1v1h-1zM12 7.500h1v1h-1z",
  rail: "M2.500 3.500h11v9h-11zM6.500 3.500v9",
  eye: "M1.800 8S4 4 8 4s6.200 4 6.200 4S12 12 8 12 1.800 8 1.800 8zM8 6.300a1.700 1.700 0 1 0 0 3.400 1.700 1.700 0 0 0 0-3.400z",
} as const;

export type IconName = keyof typeof ICON_PATHS;

/** The logo in a square of 32 pixels: the stone and its shaded side. */
export const LOGO_PATHS = {
  stone: "M8 21.5 16 7l8 14.5-8 4.5z",
  side: "m16 7 8 14.5-8 4.5z",
} as const;
