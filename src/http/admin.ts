// Key management for whoever may read the data folder: the routes accept the token of the server file only, never an
// API key. Not part of the contract; the command line is their one client.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CreatedKey, Keyring } from "../account/keys.ts";
import { toErrorBody } from "../contract/faults.ts";
import { RequestError } from "../errors.ts";
import type { KeyRecord } from "../store/accounts.ts";
import { bearerKey, isSameSecret } from "./middleware/authenticate.ts";

const newKeySchema = z.strictObject({
  name: z.string().min(1).max(100),
  creditBudget: z.int().min(0).nullable().default(null),
  requestsPerMinute: z.int().min(1).nullable().default(null),
  concurrency: z.int().min(1).nullable().default(null),
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
  readonly adminToken: string;
};

/** What is told of a key: everything but what could be used in its place. */
export type KeyView = Omit<KeyRecord, "hash" | "previous" | "accountId">;

export function serveAdmin(server: FastifyInstance, { keyring, adminToken }: AdminParts): void {
  const guard = async (request: FastifyRequest): Promise<void> => {
    if (!isSameSecret(bearerKey(request.headers.authorization), adminToken))
      throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
  };
  const guarded = { onRequest: guard };

  server.get("/admin/keys", guarded, async () => ({
    success: true,
    data: (await (await keyring()).list()).map(toView),
  }));
  server.post("/admin/keys", guarded, async (request) => {
    const { name, expiresAt, ...limits } = parse(newKeySchema, request.body);
    return answer(await (await keyring()).create({ name, limits, expiresAt }));
  });
  server.post<{ Params: { id: string } }>("/admin/keys/:id/rotate", guarded, async (request) => {
    const { graceMs } = parse(rotateSchema, request.body ?? {});
    return answer(await (await keyring()).rotate(request.params.id, graceMs));
  });
  server.delete<{ Params: { id: string } }>("/admin/keys/:id", guarded, async (request) => {
    await (await keyring()).revoke(request.params.id);
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

function toView({
  hash: _hash,
  previous: _previous,
  accountId: _account,
  ...view
}: KeyRecord): KeyView {
  return view;
}
