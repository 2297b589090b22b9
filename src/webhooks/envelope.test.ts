import { describe, expect, it } from "vitest";
import type { Document } from "../contract/page/document.ts";
import { EVENT_TYPES, webhookEventSchema } from "../contract/jobs/webhook.ts";
import { buildEnvelope, type EventRecord } from "./envelope.ts";

const page = { markdown: "# A", metadata: { scrapeId: "s" } } as unknown as Document;
const event = (fields: Partial<EventRecord>): EventRecord => ({
  id: "event-1",
  type: "crawl.page",
  jobId: "job-1",
  data: [],
  error: undefined,
  metadata: { mine: 1 },
  ...fields,
});

describe("webhook body", () => {
  it("the body of a page event contains exactly its document", () => {
    expect(buildEnvelope(event({ data: [page] }))).toEqual({
      success: true,
      type: "crawl.page",
      id: "job-1",
      webhookId: "event-1",
      data: [page],
      metadata: { mine: 1 },
    });
  });

  it("the body of a failed page has the error and no document", () => {
    expect(buildEnvelope(event({ error: "The site did not answer." }))).toMatchObject({
      success: false,
      data: [],
      error: "The site did not answer.",
    });
  });

  it.each(EVENT_TYPES)(
    "the body of %s matches the contract, with success false for failed and cancelled jobs",
    (type) => {
      const body = buildEnvelope(event({ type }));
      expect(webhookEventSchema.safeParse(body).success).toBe(true);
      expect(body.success).toBe(!/failed|cancelled/.test(type));
    },
  );
});
