import fc from "fast-check";
import { expect, it } from "vitest";
import type { JobResults } from "../../crawl/job.ts";
import { toStatusBody, writeStatusBody } from "./job-status.ts";

const report: Omit<JobResults, "documents"> = {
  id: "0199f0c0-0000-7000-8000-000000000000",
  kind: "crawl",
  status: "completed",
  total: 3,
  completed: 3,
  creditsUsed: 3,
  createdAt: 1_000,
  completedAt: 3_500,
  expiresAt: 90_000,
  error: undefined,
  code: undefined,
  warning: 'A "warning" – with ]} in it.',
  nextSkip: 3,
};

/**
 * Texts with all characters that JSON must or may escape, and names with a special meaning for
 * objects.
 */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "\u2028", "\0", "]}", "\\", "__proto__", "10", "9"),
);
/**
 * Without escaped characters: with a name of a single backslash, JSON.parse of V8 13.6 may confuse
 * other escaped names with it.
 */
const name = fc.oneof(
  fc.stringMatching(/^[\w ]*$/),
  fc.constantFrom("__proto__", "10", "9", "é]}"),
);
const value = fc.oneof(text, fc.double(), fc.array(text), fc.dictionary(name, text));
const document = fc.dictionary(name, value);
const next = fc.option(fc.webUrl(), { nil: undefined });

it("forwarding stored documents produces the same bytes as parsing and serializing them", () => {
  const property = fc.property(fc.array(document, { maxLength: 5 }), next, (documents, after) => {
    const kept = documents.map((one) => Buffer.from(JSON.stringify(one)));
    const results: JobResults = { ...report, documents: kept };
    const read = JSON.stringify(toStatusBody(results, after));
    expect(writeStatusBody(results, after).equals(Buffer.from(read))).toBe(true);
    expect(JSON.parse(read)).toMatchObject({ success: true, completed: 3, duration: 2.5 });
    expect((JSON.parse(read) as { data: unknown[] }).data).toHaveLength(documents.length);
  });
  fc.assert(property, { numRuns: 200 });
});
