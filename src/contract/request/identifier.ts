import { z } from "zod";

/** Any UUID version; the service issues version 7. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isUuid = (text: string): boolean => UUID.test(text);

const buildIdSchema = (fault: string) =>
  z
    .string()
    .refine(isUuid, fault)
    .meta({ description: "An id this service handed out.", format: "uuid" });

/** An id issued by the service; anything else is rejected with the text clients know. */
export const jobIdSchema = buildIdSchema("Invalid job ID format. Job ID must be a valid UUID.");
export const checkIdSchema = buildIdSchema(
  "Invalid check ID format. Check ID must be a valid UUID.",
);

export const idParamsSchema = z.object({ id: jobIdSchema });
export const jobIdParamsSchema = z.object({ jobId: jobIdSchema });
export const scrapeIdParamsSchema = z.object({ scrapeId: jobIdSchema });

/** A path segment that is an opaque name. */
export const nameSchema = z.string().min(1).max(200);
