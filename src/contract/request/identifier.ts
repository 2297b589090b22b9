import { z } from "zod";

/** Any UUID version; version 7 is what the service hands out. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isUuid = (text: string): boolean => UUID.test(text);

/** An id the service handed out; anything else is refused with the text clients know. */
export const jobIdSchema = z
  .string()
  .refine(isUuid, "Invalid job ID format. Job ID must be a valid UUID.")
  .meta({ description: "An id this service handed out.", format: "uuid" });

export const idParamsSchema = z.object({ id: jobIdSchema });
export const jobIdParamsSchema = z.object({ jobId: jobIdSchema });
export const scrapeIdParamsSchema = z.object({ scrapeId: jobIdSchema });

/** One part of a path that is an opaque name. */
export const nameSchema = z.string().min(1).max(200);
