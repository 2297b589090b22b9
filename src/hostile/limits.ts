/**
 * Memory of the target and its processes above which a case fails; an idle browser takes 300 MiB of
 * it.
 */
export const MEMORY_LIMIT_BYTES = 4 * 1024 ** 3;
