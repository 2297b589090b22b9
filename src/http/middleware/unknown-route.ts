// Answers unknown routes: names the methods of the path, the path that was probably meant, or the
// replacement of an old one.
import type { FastifyInstance } from "fastify";
import { findNearestName } from "../../contract/request/nearest-name.ts";
import { RequestError } from "../../errors.ts";

type Route = {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  /** Answers 501, so it is not suggested. */
  readonly isAbsent: boolean;
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route is known and answers 501. */
    readonly isAbsent?: boolean;
  }
}

/** Paths of the first version of this API and their replacements. */
const REPLACED: readonly (readonly [path: RegExp, replacement: string])[] = [
  [/^\/v0\/scrape$/, "POST /v2/scrape"],
  [/^\/v0\/crawl$/, "POST /v2/crawl"],
  [/^\/v[01]\/crawl\/status\/[^/]+$/, "GET /v2/crawl/:id"],
  [/^\/v0\/crawl\/cancel\/[^/]+$/, "DELETE /v2/crawl/:id"],
  [/^\/v0\/search$/, "POST /v2/search"],
  [/^\/v0\/map$/, "POST /v2/map"],
];

const MAX_PATH_CHARACTERS = 200;

/**
 * Answers 405 when the path has other methods, otherwise 404. Call before the routes are
 * registered.
 */
export function refuseUnknownRoutes(server: FastifyInstance): void {
  const routes: Route[] = [];
  server.addHook("onRoute", ({ method, url, config }) => {
    for (const one of [method].flat())
      if (one !== "OPTIONS" && url !== "*")
        routes.push({
          method: one,
          path: url,
          pattern: toPattern(url),
          isAbsent: config?.isAbsent === true,
        });
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "/";
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    const methods = [...new Set(allowed)].toSorted();
    const shown = path.slice(0, MAX_PATH_CHARACTERS);
    if (methods.length > 0) {
      void reply.header("allow", methods.join(", "));
      throw new RequestError(
        "METHOD_NOT_ALLOWED",
        `${shown} takes ${methods.join(", ")}, not ${request.method}.`,
      );
    }
    const replacement = REPLACED.find(([old]) => old.test(path))?.[1];
    const advice =
      replacement === undefined
        ? suggestRoute(routes, request.method, path)
        : `${replacement} replaced it.`;
    throw new RequestError("NOT_FOUND", `There is no ${request.method} ${shown}; ${advice}`);
  });
}

const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:\w+/g, "[^/]+")
      .replaceAll("*", ".*")}$`,
  );

function suggestRoute(routes: readonly Route[], method: string, path: string): string {
  const parts = path.split("/");
  const candidates = routes
    .map((route) => ({ route, names: route.path.split("/") }))
    .filter(
      ({ route, names }) =>
        !route.isAbsent &&
        route.method === method &&
        names.length === parts.length &&
        isNearInNames(names, parts),
    )
    .map(({ names }) =>
      names.map((name, index) => (isParameter(name) ? (parts[index] ?? name) : name)).join("/"),
    );
  const nearest = findNearestName(path, candidates);
  return nearest === undefined
    ? "see /docs/api for the routes."
    : `did you mean ${method} ${nearest}?`;
}

const isParameter = (name: string): boolean => name.startsWith(":");

/** Compares without the parameters, which fit any path and would make /live/:code near to /v2/a. */
function isNearInNames(names: readonly string[], parts: readonly string[]): boolean {
  const keep = (from: readonly string[]): string =>
    from.filter((_, index) => !isParameter(names[index] ?? "")).join("/");
  const [own, given] = [keep(names), keep(parts)];
  return own === given || findNearestName(given, [own]) !== undefined;
}
