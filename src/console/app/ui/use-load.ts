import { useEffect, useState } from "preact/hooks";

export type LoadResult<T> =
  | { readonly state: "loading"; readonly value?: T }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly error: Error; readonly value?: T };

export type LoadHandle<T> = LoadResult<T> & { readonly reload: () => void };

/**
 * Loads when `keys` change, and again on `reload`; the old value stays until the new one arrives.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): LoadHandle<T> {
  const [loaded, setLoaded] = useState<LoadResult<T>>({ state: "loading" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setLoaded({ state: "ready", value });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const fault = error instanceof Error ? error : new Error(String(error));
        setLoaded((before) => ({ ...before, state: "failed", error: fault }));
      },
    );
    return () => controller.abort();
  }, [...keys, turn]);
  return { ...loaded, reload: () => setTurn((count) => count + 1) };
}
