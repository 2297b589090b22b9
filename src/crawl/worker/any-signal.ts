/** A signal that aborts with the first of its sources, until it is disposed. */
export type AnySignal = Disposable & { readonly signal: AbortSignal };

/**
 * Like `AbortSignal.any`, but disposable. `AbortSignal.any` leaves weak references on long-lived
 * sources that only a full garbage collection clears: some KiB per page.
 */
export function combineSignals(others: readonly AbortSignal[]): AnySignal {
  const controller = new AbortController();
  const aborted = others.find((other) => other.aborted);
  if (aborted !== undefined) {
    controller.abort(aborted.reason);
    return { signal: controller.signal, [Symbol.dispose]: () => undefined };
  }
  const links = others.map((other) => {
    const abort = (): void => controller.abort(other.reason);
    other.addEventListener("abort", abort, { once: true });
    return () => other.removeEventListener("abort", abort);
  });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const unlink of links) unlink();
    },
  };
}
