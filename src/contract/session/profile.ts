import { z } from "zod";

/**
 * Saved browser state (cookies, storage) shared by name across scrapes and sessions; one writer at
 * a time.
 */
export const profileSchema = z
  .strictObject({
    name: z.string().min(1).max(128).describe("1 to 128 characters."),
    saveChanges: z.boolean().default(true).describe("Write the state back at the end."),
  })
  .describe("Saved browser state, shared by scrapes and sessions that name it.");

export type Profile = z.output<typeof profileSchema>;
