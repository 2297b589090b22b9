/** A signal that aborts with the first of others, until it is disposed of. */
export type EitherSignal = Disposable & { readonly signal: AbortSignal };

/**
 * What `AbortSignal.any` does, for a signal whose end is known. That one leaves weak references behind in those it came from,
 * which live as long as the service and are only cleared when all of the memory is collected: some KiB a page.
 */
export function eitherSignal(others: readonly AbortSignal[]): EitherSignal {
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
