// Light, dark, or system theme.
import { signal } from "@preact/signals";
import { keepChoice } from "./choices.ts";

export type Theme = "light" | "dark" | "system";

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
  keepChoice("theme", next === "system" ? undefined : next);
}

/** Returns whether the dark theme is shown now. */
export const isDark = (): boolean =>
  theme.value === "dark" ||
  (theme.value === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
