// Routes of stand-alone browser sessions, under both names that clients use.
import { z } from "zod";
import {
  browserCreateResponseSchema,
  browserExecuteRequestSchema,
  browserExecuteResponseSchema,
  browserListQuerySchema,
  browserListResponseSchema,
  browserRequestSchema,
  browserSessionResponseSchema,
  localBrowserResponseSchema,
  profileListResponseSchema,
  profileParamsSchema,
  replayParamsSchema,
  saveProfileRequestSchema,
  saveProfileResponseSchema,
  sessionParamsSchema,
} from "../session/browser.ts";
import { NO_RECORDING, type Endpoint } from "./endpoint.ts";
import { interactTraceResponseSchema, sessionEndResponseSchema } from "../session/interact.ts";

const browser = { tag: "Browser", capability: "browser" } as const;
const replayResponseSchema = z.looseObject({ success: z.literal(true) });

const buildSessionEndpoints = (root: string): Endpoint[] => [
  {
    ...browser,
    method: "POST",
    path: root,
    summary: "Open a browser session.",
    body: browserRequestSchema,
    example: { ttl: 600 },
    response: browserCreateResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: root,
    summary: "List browser sessions.",
    query: browserListQuerySchema,
    response: browserListResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: `${root}/profiles`,
    summary: "List saved profiles.",
    response: profileListResponseSchema,
  },
  {
    ...browser,
    method: "DELETE",
    path: `${root}/profiles/:name`,
    summary: "Delete a saved profile.",
    params: profileParamsSchema,
    response: replayResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: `${root}/:id`,
    summary: "Read one browser session.",
    params: sessionParamsSchema,
    response: browserSessionResponseSchema,
  },
  {
    ...browser,
    method: "POST",
    path: `${root}/:id/execute`,
    summary: "Run code in a browser session.",
    params: sessionParamsSchema,
    body: browserExecuteRequestSchema,
    example: { code: "return await page.title();" },
    response: browserExecuteResponseSchema,
  },
  {
    ...browser,
    method: "DELETE",
    path: `${root}/:id`,
    summary: "End a browser session and save its profile.",
    params: sessionParamsSchema,
    response: sessionEndResponseSchema,
  },
  {
    ...browser,
    method: "POST",
    path: `${root}/:id/profile`,
    summary: "Save a session's cookies and storage as a profile; the session goes on.",
    params: sessionParamsSchema,
    body: saveProfileRequestSchema,
    example: { name: "shop" },
    response: saveProfileResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: `${root}/:id/trace`,
    summary: "Read what prompts did in a session, event by event.",
    params: sessionParamsSchema,
    response: interactTraceResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: `${root}/:id/replay`,
    summary: "Read the recording of a session.",
    neverSucceeds: NO_RECORDING,
    params: sessionParamsSchema,
    response: replayResponseSchema,
  },
  {
    ...browser,
    method: "GET",
    path: `${root}/:id/replay/:page`,
    summary: "Read one page of the recording of a session.",
    neverSucceeds: NO_RECORDING,
    params: replayParamsSchema,
    response: replayResponseSchema,
  },
];

export const SESSION_ENDPOINTS: readonly Endpoint[] = [
  ...buildSessionEndpoints("/v2/browser"),
  ...buildSessionEndpoints("/v2/interact"),
  {
    ...browser,
    method: "POST",
    path: "/v2/local-browser",
    summary: "Open a browser session; the older self-hosted form.",
    body: browserRequestSchema,
    example: { ttl: 600 },
    response: localBrowserResponseSchema,
  },
  {
    ...browser,
    method: "DELETE",
    path: "/v2/local-browser/:id",
    summary: "End a browser session; the older self-hosted form.",
    params: sessionParamsSchema,
    response: sessionEndResponseSchema,
  },
];
