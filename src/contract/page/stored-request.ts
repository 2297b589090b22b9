// The request of an earlier scrape. Beyond the API family's contract.
import { z } from "zod";

export const storedRequestResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string(),
  options: z
    .record(z.string(), z.unknown())
    .describe("The options with defaults filled in, without url and headers."),
  headerNames: z
    .array(z.string())
    .describe("Names of the headers that it sent; their values are not shown."),
  createdAt: z.string(),
});

export type StoredRequestResponse = z.output<typeof storedRequestResponseSchema>;
