// Keyboard shortcuts: the global ones and those of the current screen.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export const isPaletteOpen = signal(false);
export const isHelpOpen = signal(false);

export type KeyBinding = { readonly keys: string; readonly text: string; readonly run: () => void };

const isMac = /^(?:Mac|iP)/.test(navigator.platform);

/** Names the command key as this keyboard does: "⌘K" or "Ctrl K". */
export const showKeys = (keys: string): string => (isMac ? keys : keys.replace("⌘", "Ctrl "));

export const screenKeys = signal<readonly KeyBinding[]>([]);

/** Keys that work while the component is shown; `keys` as the event names them, or "⌘Enter". */
export function useKeys(bindings: readonly KeyBinding[]): void {
  useEffect(() => {
    screenKeys.value = bindings;
    return () => {
      screenKeys.value = [];
    };
  });
}
