import type { z } from "zod";
import type { Capability } from "../account/capabilities.ts";
import type { Scope } from "../account/scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One route of the wire: how it is called, what it takes and what it answers with status 200. */
export type Endpoint = {
  readonly method: Method;
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly capability: Capability;
  /** What a key needs to call it; that of the capability when missing (scopes.ts). */
  readonly scope?: Scope;
  readonly body?: z.ZodType;
  /** A body that can be sent as it stands: what the documentation fills in. */
  readonly example?: object;
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly response: z.ZodType;
  /** Other forms of the reply, as media types: streams of text. */
  readonly streams?: readonly string[];
  /** One line of the reply where Accept names application/x-ndjson. */
  readonly lines?: z.ZodType;
  /** Takes a file as multipart/form-data beside, or instead of, the JSON body. */
  readonly upload?: "multipart" | "raw";
  /** Keys of requests that only the hosted service of this API family answers. */
  readonly hostedKeys?: readonly string[];
  /** Counts as work for the rate limit though it is a GET. */
  readonly isWork?: true;
  readonly deprecated?: { readonly replacement: string };
  /** What `error` says when the body does not fit; "Bad Request" when missing. */
  readonly faultText?: string;
  /** What `error` says of a key that is not known; the text of /v2 when missing. */
  readonly unknownKeyText?: string;
};

/** What is answered where only the hosted service has something to say. */
export const HOSTED_TEXT = "This exists only on the hosted service of this API family.";
