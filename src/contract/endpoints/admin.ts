// Routes of the operator. They accept keys with the scope admin, and the token of the data folder.
import { z } from "zod";
import {
  accountLimitsSchema,
  accountParamsSchema,
  accountSchema,
  consoleLinkSchema,
  diagnosisSchema,
  egressExplanationSchema,
  egressQuerySchema,
  garbageReportSchema,
  keyLimitsSchema,
  keyListQuerySchema,
  keyParamsSchema,
  keySchema,
  loadHistoryQuerySchema,
  loadHistorySchema,
  newAccountSchema,
  newKeyResponseSchema,
  newKeySchema,
  rotateKeySchema,
  settingSchema,
  snapshotSchema,
  webhookSecretSchema,
} from "../account/admin.ts";
import type { Endpoint } from "./endpoint.ts";

export type AdminEndpoint = Omit<Endpoint, "capability" | "scope">;

const answer = (data: z.ZodType): z.ZodType => z.looseObject({ success: z.literal(true), data });

const doneSchema = z.looseObject({ success: z.literal(true) });

const admin = { tag: "Admin" } as const;
const account = { ...admin, params: accountParamsSchema } as const;
const key = { ...admin, params: keyParamsSchema } as const;
/** Only for those who can read the data folder. */
const TOKEN_ONLY = "Takes the token of the data folder only.";

export const ADMIN_ENDPOINTS: readonly AdminEndpoint[] = [
  {
    ...admin,
    method: "GET",
    path: "/admin/accounts",
    summary: "List all accounts, oldest first.",
    response: answer(z.array(accountSchema)),
  },
  {
    ...admin,
    method: "POST",
    path: "/admin/accounts",
    summary: "Create an account.",
    body: newAccountSchema,
    example: { name: "guests", concurrency: 10 },
    response: answer(accountSchema),
  },
  {
    ...account,
    method: "PATCH",
    path: "/admin/accounts/:account",
    summary: "Change the limits of an account.",
    body: accountLimitsSchema,
    example: { concurrency: 20 },
    response: answer(accountSchema),
  },
  {
    ...account,
    method: "POST",
    path: "/admin/accounts/:account/disable",
    summary: "Reject the keys of an account and end its work.",
    response: answer(accountSchema),
  },
  {
    ...account,
    method: "POST",
    path: "/admin/accounts/:account/enable",
    summary: "Accept the keys of an account again.",
    response: answer(accountSchema),
  },
  {
    ...admin,
    method: "GET",
    path: "/admin/keys",
    summary: "List the keys of an account, without the keys themselves.",
    query: keyListQuerySchema,
    response: answer(z.array(keySchema)),
  },
  {
    ...admin,
    method: "POST",
    path: "/admin/keys",
    summary: "Create a key. The reply is the only place where it is shown.",
    body: newKeySchema,
    example: { name: "reporting", scopes: ["read"] },
    response: answer(newKeyResponseSchema),
  },
  {
    ...key,
    method: "POST",
    path: "/admin/keys/:id/rotate",
    summary: "Replace a key by a new one.",
    body: rotateKeySchema,
    example: { graceMs: 3_600_000 },
    response: answer(newKeyResponseSchema),
  },
  {
    ...key,
    method: "PATCH",
    path: "/admin/keys/:id",
    summary: "Change the limits of a key.",
    body: keyLimitsSchema,
    example: { requestsPerMinute: 60 },
    response: answer(keySchema),
  },
  {
    ...key,
    method: "DELETE",
    path: "/admin/keys/:id",
    summary: "Revoke a key and end its work.",
    response: doneSchema,
  },
  {
    ...admin,
    method: "GET",
    path: "/admin/settings",
    summary: "List all settings with their values and sources.",
    response: answer(z.array(settingSchema)),
  },
  {
    ...admin,
    method: "GET",
    path: "/admin/diagnosis",
    summary: "Check the browser, the models, the disk and the database.",
    response: answer(diagnosisSchema),
  },
  {
    ...admin,
    method: "GET",
    path: "/admin/egress",
    summary: "Explain whether the server may connect to a host.",
    query: egressQuerySchema,
    response: answer(egressExplanationSchema),
  },
  {
    ...admin,
    method: "GET",
    path: "/admin/history",
    summary: "Read memory, browser pages, queue age, storage and scrapes over time.",
    query: loadHistoryQuerySchema,
    response: answer(loadHistorySchema),
  },
  {
    ...admin,
    method: "POST",
    path: "/admin/gc",
    summary: "Remove expired data and compact the database.",
    response: answer(garbageReportSchema),
  },
  {
    ...admin,
    method: "POST",
    path: "/admin/snapshot",
    summary: "Copy the embedded database into the data folder.",
    response: answer(snapshotSchema),
  },
  {
    ...account,
    method: "GET",
    path: "/admin/accounts/:account/webhook-secret",
    summary: `Read the secret that signs the webhooks of an account. ${TOKEN_ONLY}`,
    response: answer(webhookSecretSchema),
  },
  {
    ...account,
    method: "POST",
    path: "/admin/accounts/:account/webhook-secret/rotate",
    summary: `Replace the secret that signs the webhooks of an account. ${TOKEN_ONLY}`,
    response: answer(webhookSecretSchema),
  },
  {
    ...admin,
    method: "POST",
    path: "/admin/console-links",
    summary: `Create a link that signs in to the console once. ${TOKEN_ONLY}`,
    response: answer(consoleLinkSchema),
  },
];
