import type { Handlers } from "../route.ts";

/** The same handlers by their names under /v1. */
export function underV1(handlers: Handlers): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name.replace(" /v2/", " /v1/"), handler]),
  );
}
