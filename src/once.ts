/** Something that is made at the first call; every call gets the same promise. */
export type Once<T> = (() => Promise<T>) & {
  /** Has it been asked for? */
  readonly started: () => boolean;
};

/** Runs `make` at the first call. */
export function once<T>(make: () => T | Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = (): Promise<T> => (made ??= (async () => await make())());
  return Object.assign(get, { started: () => made !== undefined });
}
