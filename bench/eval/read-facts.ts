// The pages of test/facts: small pages with the facts that must be in their Markdown and the
// boilerplate that must not.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

export const FACTS_FOLDER = path.resolve(import.meta.dirname, "../../test/facts");
/** Use failures of `dev` for tuning only; `held-out` measures unread pages. */
export const PARTS = ["dev", "held-out"] as const;

const truth = z.strictObject({
  kind: z.string().min(1),
  language: z.string().min(2),
  part: z.enum(PARTS),
  url: z.url(),
  /** Text as a reader sees it, or a regular expression where markup may split the text. */
  facts: z.array(z.union([z.string().min(1), z.strictObject({ pattern: z.string().min(1) })])),
  boilerplate: z.array(z.string().min(1)),
});

export type Fact = z.infer<typeof truth>["facts"][number];
export type FactPage = z.infer<typeof truth> & { readonly id: string; readonly html: string };

/** All pages, sorted by their id. Throws when a page's JSON is missing or has another shape. */
export function readFactPages(folder: string = FACTS_FOLDER): FactPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".html"))
    .toSorted()
    .map((file) => {
      const id = file.slice(0, -".html".length);
      const json: unknown = JSON.parse(readFileSync(path.join(folder, `${id}.json`), "utf8"));
      return { ...truth.parse(json), id, html: readFileSync(path.join(folder, file), "utf8") };
    });
}
