import { z } from "zod";

/** Any UUID version; the service issues version 7. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isUuid = (text: string): boolean => UUID.test(text);

/** An id issued by the service; anything else is rejected with the text clients know. */
export const jobIdSchema = z
  .string()
  .refine(isUuid, "Invalid job ID format. Job ID must be a valid UUID.")
  .meta({ description: "An id this service handed out.", format: "uuid" });

export const idParamsSchema = z.object({ id: jobIdSchema });
export const jobIdParamsSchema = z.object({ jobId: jobIdSchema });
export const scrapeIdParamsSchema = z.object({ scrapeId: jobIdSchema });

/** A path segment that is an opaque name. */
export const nameSchema = z.string().min(1).max(200);
