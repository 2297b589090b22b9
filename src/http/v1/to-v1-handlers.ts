import type { Handlers } from "../route.ts";

/** Maps the handlers to their names under /v1. */
export function toV1Handlers(handlers: Handlers): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name.replace(" /v2/", " /v1/"), handler]),
  );
}
