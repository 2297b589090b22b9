/** Indexes of the values without a neighbor, which no line shows. */
export function findLonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isEmpty = (at: number): boolean => (values[at] ?? null) === null;
  return Array.from({ length: values.length }, (_, at) => at).filter(
    (at) => !isEmpty(at) && isEmpty(at - 1) && isEmpty(at + 1),
  );
}
