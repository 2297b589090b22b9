// Management of accounts and keys by the operator. The routes accept the server file's token and
// keys with the scope admin. The command line and the console are the clients.
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Accounts } from "../account/accounts.ts";
import { parseHostPattern } from "../account/allow-hosts.ts";
import type { CreatedKey, Keyring } from "../account/keys.ts";
import { SCOPES } from "../contract/account/scopes.ts";
import { toErrorBody } from "../contract/request/faults.ts";
import { RequestError } from "../errors.ts";
import type { KeyRecord } from "../store/accounts/accounts.ts";
import type { AdminGuard } from "./admin-guard.ts";
import type { StopWork } from "./stop-work.ts";

const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, { error: "must not contain control characters" });

const keyLimitsSchema = z.strictObject({
  creditBudget: z.int().min(0).nullable().exactOptional(),
  requestsPerMinute: z.int().min(1).nullable().exactOptional(),
  concurrency: z.int().min(1).nullable().exactOptional(),
});

const accountLimitsSchema = keyLimitsSchema.extend({
  indexPages: z.int().min(0).nullable().exactOptional(),
});

const newAccountSchema = accountLimitsSchema.extend({ name: nameSchema });

const accountQuerySchema = z.object({ account: z.string().min(1).optional() });

const newKeySchema = keyLimitsSchema.extend({
  name: nameSchema,
  account: z.string().min(1).exactOptional(),
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  allowHosts: z
    .array(
      z.string().refine((pattern) => parseHostPattern(pattern) !== undefined, {
        error:
          "Give host names such as example.com or *.example.com, without scheme, port or path.",
      }),
    )
    .min(1)
    .nullable()
    .default(null),
  expiresAt: z.int().min(0).nullable().default(null),
});

const rotateSchema = z.strictObject({
  graceMs: z
    .int()
    .min(0)
    .max(30 * 86_400_000)
    .optional(),
});

export type AdminParts = {
  readonly keyring: () => Promise<Keyring>;
  readonly accounts: () => Promise<Accounts>;
  readonly guard: AdminGuard;
  readonly stopWork: StopWork;
};

/** The visible fields of a key, without anything that could be used in its place. */
export type KeyView = Omit<KeyRecord, "hash" | "previous">;

export function serveAdmin(server: FastifyInstance, parts: AdminParts): void {
  const { keyring, accounts, guard } = parts;
  const guarded = { onRequest: guard };

  server.get("/admin/accounts", guarded, async () => ({
    success: true,
    data: await (await accounts()).list(),
  }));
  server.post("/admin/accounts", guarded, async (request) => {
    const { name, ...given } = parse(newAccountSchema, request.body);
    return { success: true, data: await (await accounts()).create({ name, limits: given }) };
  });
  server.patch<{ Params: { account: string } }>(
    "/admin/accounts/:account",
    guarded,
    async (request) => {
      const changes = parse(accountLimitsSchema, request.body);
      return {
        success: true,
        data: await (await accounts()).saveLimits(request.params.account, changes),
      };
    },
  );
  for (const [action, isDisabled] of [
    ["disable", true],
    ["enable", false],
  ] as const)
    server.post<{ Params: { account: string } }>(
      `/admin/accounts/:account/${action}`,
      guarded,
      async (request) => {
        const account = await (await accounts()).setDisabled(request.params.account, isDisabled);
        if (isDisabled) await parts.stopWork.ofAccount(account);
        return { success: true, data: account };
      },
    );

  server.get("/admin/keys", guarded, async (request) => {
    const { account } = parse(accountQuerySchema, request.query);
    return { success: true, data: (await (await keyring()).list(account)).map(toView) };
  });
  server.post("/admin/keys", guarded, async (request) => {
    const { name, account, scopes, allowHosts, expiresAt, ...limits } = parse(
      newKeySchema,
      request.body,
    );
    const key = { name, account, limits, allowHosts, expiresAt };
    return answer(await (await keyring()).create(scopes === undefined ? key : { ...key, scopes }));
  });
  server.post<{ Params: { id: string } }>("/admin/keys/:id/rotate", guarded, async (request) => {
    const { graceMs } = parse(rotateSchema, request.body ?? {});
    return answer(await (await keyring()).rotate(request.params.id, graceMs));
  });
  server.patch<{ Params: { id: string } }>("/admin/keys/:id", guarded, async (request) => {
    const changes = parse(keyLimitsSchema, request.body);
    return {
      success: true,
      data: toView(await (await keyring()).saveLimits(request.params.id, changes)),
    };
  });
  server.delete<{ Params: { id: string } }>("/admin/keys/:id", guarded, async (request) => {
    await (await keyring()).revoke(request.params.id);
    await parts.stopWork.ofKey(request.params.id);
    return { success: true };
  });
}

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const fault = toErrorBody(checked.error);
  throw new RequestError(fault.code, fault.error, { details: fault.details });
}

function answer({ key, record }: CreatedKey): { success: true; data: KeyView & { key: string } } {
  return { success: true, data: { ...toView(record), key } };
}

function toView({ hash: _hash, previous: _previous, ...view }: KeyRecord): KeyView {
  return view;
}
