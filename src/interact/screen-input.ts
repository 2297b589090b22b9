import { screenInputSchema, type ScreenInput } from "../contract/session/screen.ts";

export type PointerInput = Extract<ScreenInput, { x: number }>;

/** Returns undefined for anything that is not an input. */
export function parseInput(text: string): ScreenInput | undefined {
  try {
    return screenInputSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns undefined for anything but http, https and an empty page. */
export function toWebAddress(given: string): URL | undefined {
  if (given === "about:blank") return new URL(given);
  const url = URL.parse(given);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}
