// Loads again after changes: one load at a time, with a rest after each. Pure of requests.
export type ReloaderOptions = {
  /** Errors are ignored; the next change loads again. */
  readonly load: (signal: AbortSignal) => Promise<void>;
  /** Wait before the first load, milliseconds. */
  readonly firstMs: number;
  /** Wait after each load, milliseconds. */
  readonly restMs: number;
};

export type Reloader = {
  /** Loads again, after the load in progress and its rest. */
  readonly markStale: () => void;
  readonly stop: () => void;
};

export function createReloader({ load, firstMs, restMs }: ReloaderOptions): Reloader {
  const controller = new AbortController();
  const { signal } = controller;
  let isBusy = true;
  let isStale = false;
  const run = async (): Promise<void> => {
    isBusy = true;
    isStale = false;
    await load(signal).catch(() => undefined);
    if (!signal.aborted) timer = setTimeout(finishRest, restMs);
  };
  const finishRest = (): void => {
    isBusy = false;
    if (isStale) void run();
  };
  let timer = setTimeout(() => void run(), firstMs);
  return {
    markStale: () => {
      if (signal.aborted) return;
      if (isBusy) isStale = true;
      else void run();
    },
    stop: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
