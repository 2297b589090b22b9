// Restricts the fetches of a request to the hosts of its key.
import { allowsHost, assertHostAllowed } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { MayVisit } from "../browser/blocking/navigation-guard.ts";
import type { Capture } from "../capture.ts";
import type { MayRedirect } from "../engines/http.ts";

type RestrictedRequest = {
  readonly url: URL;
  readonly given?: Capture | undefined;
  readonly identity?: Identity | undefined;
  readonly mayRedirect?: MayRedirect | undefined;
  readonly mayVisit?: MayVisit | undefined;
};

/**
 * Restricts the request to the hosts its key may fetch, including redirects and navigation. Throws
 * FORBIDDEN.
 */
export function restrictHosts<R extends RestrictedRequest>(request: R): R {
  const { identity, given, url, mayRedirect, mayVisit } = request;
  if (identity?.allowHosts === undefined || given !== undefined) return request;
  assertHostAllowed(identity, url);
  return {
    ...request,
    mayRedirect: async (target) => {
      assertHostAllowed(identity, target);
      return (await mayRedirect?.(target)) ?? true;
    },
    mayVisit: (target) => allowsHost(identity.allowHosts, target) && (mayVisit?.(target) ?? true),
  };
}
