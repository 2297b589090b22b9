/** A memoized async factory: every call gets the same promise. */
export type Lazy<T> = (() => Promise<T>) & {
  /** True once the value was requested. */
  readonly started: () => boolean;
};

/** Memoizes `make`, which runs at the first call. */
export function createLazy<T>(make: () => T | Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  const get = (): Promise<T> => (made ??= (async () => await make())());
  return Object.assign(get, { started: () => made !== undefined });
}
