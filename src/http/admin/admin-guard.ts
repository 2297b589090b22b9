import type { FastifyRequest } from "fastify";
import type { Identity } from "../../account/identity.ts";
import type { Keyring } from "../../account/keys.ts";
import {
  assertScope,
  readBearerKey,
  isSameSecret,
  createUnauthorizedError,
} from "../middleware/authenticate.ts";

/**
 * Resolves for callers that may manage the server; throws UNAUTHORIZED or FORBIDDEN for all others.
 */
export type AdminGuard = (request: FastifyRequest) => Promise<void>;

export type AdminGuardParts = {
  /** Token of the server file; only users with access to the data folder can read it. */
  readonly adminToken: string;
  readonly keyring: () => Promise<Pick<Keyring, "verify">>;
  /** Identity of the session in the console. */
  readonly session?: ((request: FastifyRequest) => Promise<Identity | undefined>) | undefined;
};

/** Accepts the token of the server file, and keys and sessions with the scope admin. */
export function createAdminGuard({ adminToken, keyring, session }: AdminGuardParts): AdminGuard {
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      const signedIn = await session?.(request);
      if (signedIn === undefined) throw createUnauthorizedError("Unauthorized");
      assertScope(signedIn, "admin");
      return;
    }
    const token = readBearerKey(authorization);
    if (isSameSecret(token, adminToken)) return;
    const identity = await (await keyring()).verify(token);
    if (identity === undefined) throw createUnauthorizedError("Unauthorized: Invalid token");
    assertScope(identity, "admin");
  };
}
