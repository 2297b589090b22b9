// Management of accounts and keys by the operator. The routes accept the server file's token and
// keys with the scope admin. The command line and the console are the clients.
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Accounts } from "../../account/accounts.ts";
import { parseHostPattern } from "../../account/allow-hosts.ts";
import type { CreatedKey, Keyring } from "../../account/keys.ts";
import type {
  accountLimitsSchema,
  keyLimitsSchema,
  newAccountSchema,
  newKeySchema,
  rotateKeySchema,
} from "../../contract/account/admin.ts";
import { RequestError } from "../../errors.ts";
import type { AccountRecord, KeyRecord } from "../../store/accounts/accounts.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { registerAdminRoutes, type AdminCall } from "./admin-routes.ts";
import type { StopWork } from "./stop-work.ts";

export type AdminParts = {
  readonly keyring: () => Promise<Keyring>;
  readonly accounts: () => Promise<Accounts>;
  readonly guard: AdminGuard;
  readonly stopWork: StopWork;
};

/** The visible fields of a key, without anything that could be used in its place. */
export type KeyView = Omit<KeyRecord, "hash" | "previous">;

type AccountParams = { readonly account: string };
type KeyParams = { readonly id: string };

export function serveAdmin(server: FastifyInstance, parts: AdminParts): void {
  const { keyring, accounts, guard } = parts;
  const setDisabled = async (name: string, isDisabled: boolean): Promise<AccountRecord> => {
    const account = await (await accounts()).setDisabled(name, isDisabled);
    if (isDisabled) await parts.stopWork.ofAccount(account);
    return account;
  };
  registerAdminRoutes(server, guard, {
    "GET /admin/accounts": async () => await (await accounts()).list(),
    "POST /admin/accounts": async ({ body }: AdminCall<z.output<typeof newAccountSchema>>) => {
      const { name, ...limits } = body;
      return await (await accounts()).create({ name, limits });
    },
    "PATCH /admin/accounts/:account": async ({
      params,
      body,
    }: AdminCall<z.output<typeof accountLimitsSchema>, unknown, AccountParams>) =>
      await (await accounts()).saveLimits(params.account, body),
    "POST /admin/accounts/:account/disable": async ({
      params,
    }: AdminCall<unknown, unknown, AccountParams>) => await setDisabled(params.account, true),
    "POST /admin/accounts/:account/enable": async ({
      params,
    }: AdminCall<unknown, unknown, AccountParams>) => await setDisabled(params.account, false),

    "GET /admin/keys": async ({ query }: AdminCall<unknown, { readonly account?: string }>) =>
      (await (await keyring()).list(query.account)).map(toView),
    "POST /admin/keys": async ({ body }: AdminCall<z.output<typeof newKeySchema>>) => {
      const { name, account, scopes, allowHosts, expiresAt, ...limits } = body;
      checkHosts(allowHosts ?? []);
      const key = { name, account, limits, allowHosts, expiresAt };
      return toNewView(
        await (await keyring()).create(scopes === undefined ? key : { ...key, scopes }),
      );
    },
    "POST /admin/keys/:id/rotate": async ({
      params,
      body,
    }: AdminCall<z.output<typeof rotateKeySchema>, unknown, KeyParams>) =>
      toNewView(await (await keyring()).rotate(params.id, body.graceMs)),
    "PATCH /admin/keys/:id": async ({
      params,
      body,
    }: AdminCall<z.output<typeof keyLimitsSchema>, unknown, KeyParams>) =>
      toView(await (await keyring()).saveLimits(params.id, body)),
    "DELETE /admin/keys/:id": async ({ params }: AdminCall<unknown, unknown, KeyParams>) => {
      await (await keyring()).revoke(params.id);
      await parts.stopWork.ofKey(params.id);
      return undefined;
    },
  });
}

function checkHosts(patterns: readonly string[]): void {
  for (const [index, pattern] of patterns.entries()) {
    if (parseHostPattern(pattern) !== undefined) continue;
    const message =
      "Give host names such as example.com or *.example.com, without scheme, port or path.";
    throw new RequestError("BAD_REQUEST", `allowHosts[${index}]: ${message}`, {
      details: [{ code: "custom", path: ["allowHosts", index], message }],
    });
  }
}

const toNewView = ({ key, record }: CreatedKey): KeyView & { key: string } => ({
  ...toView(record),
  key,
});

function toView({ hash: _hash, previous: _previous, ...view }: KeyRecord): KeyView {
  return view;
}
