/** Memory of a target with all its processes above which a case counts as broken; a browser at rest takes 300 MiB of it. */
export const MEMORY_LIMIT_BYTES = 4 * 1024 ** 3;
