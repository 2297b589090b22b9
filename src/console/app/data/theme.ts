// Light, dark, or system theme. Stored in a cookie, so that the server sends the document with the
// right one.
import { signal } from "@preact/signals";

export type Theme = "light" | "dark" | "system";

const YEAR_SECONDS = 31_536_000;
const { documentElement } = document;

const readTheme = (): Theme => {
  const { theme } = documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

export const theme = signal<Theme>(readTheme());

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === "system") delete documentElement.dataset["theme"];
  else documentElement.dataset["theme"] = next;
  const life = next === "system" ? 0 : YEAR_SECONDS;
  document.cookie = `quarry_theme=${next}; Path=/; Max-Age=${life}; SameSite=Strict`;
}

/** Returns whether the dark theme is shown now. */
export const isDark = (): boolean =>
  theme.value === "dark" ||
  (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
