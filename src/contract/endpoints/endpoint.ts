import type { z } from "zod";
import type { Capability } from "../account/capabilities.ts";
import type { Scope } from "../account/scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One route of the API: name, accepted input, and response with status 200. */
export type Endpoint = {
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly capability: Capability;
  /** The scope that a key needs; defaults to that of the capability (scopes.ts). */
  readonly scope?: Scope;
  readonly body?: z.ZodType;
  /** A valid example body, prefilled in the documentation. */
  readonly example?: object;
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly response: z.ZodType;
  /** Alternative media types of the reply: text streams. */
  readonly streams?: readonly string[];
  /** One line of the reply when Accept names application/x-ndjson. */
  readonly lines?: z.ZodType;
  /** Accepts a file as multipart/form-data with or instead of the JSON body. */
  readonly upload?: "multipart" | "raw";
  /** Request keys that only the hosted service of this API family supports. */
  readonly hostedKeys?: readonly string[];
  /** Counts as work for the rate limit although it is a GET. */
  readonly isWork?: true;
  /**
   * Reason why it never succeeds on this server although clients know it; listed apart in OpenAPI.
   */
  readonly neverSucceeds?: string;
  readonly deprecated?: { readonly replacement: string };
  /** The text of `error` when the body is invalid; default "Bad Request". */
  readonly faultText?: string;
  /** The text of `error` for an unknown key; default: that of /v2. */
  readonly unknownKeyText?: string;
};

/** Reason why session replays are never found. */
export const NO_RECORDING =
  "Sessions are not recorded by this server; watch one by its liveViewUrl.";

/** The message for features of the hosted service. */
export const HOSTED_TEXT = "This exists only on the hosted service of this API family.";
