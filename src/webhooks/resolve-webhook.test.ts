import { afterEach, describe, expect, it } from "vitest";
import { createTestConfig } from "../config.ts";
import { JOB_KINDS } from "../contract/jobs/kinds.ts";
import { buildWebhookSchema } from "../contract/jobs/webhook.ts";
import { createEgress, type Egress } from "../egress/dispatchers.ts";
import { createMetrics } from "../metrics.ts";
import { checkWebhook, resolveWebhook } from "./resolve-webhook.ts";

let egress: Egress | undefined;
afterEach(async () => {
  await egress?.close();
});

function openEgress(allow: string[] = []): Egress {
  const lookup = (): never => {
    throw new Error("no name is looked up at the request");
  };
  egress = createEgress(createTestConfig({ egressAllow: allow }), {
    metrics: createMetrics(),
    lookup,
  });
  return egress;
}

describe("webhook target", () => {
  const own = buildWebhookSchema("crawl").parse("https://own.example/hook");
  const defaultUrl = "https://all.example/jobs/{jobId}?id={jobId}";

  it("prefers the caller's webhook over that of the deployment", () => {
    expect(resolveWebhook(own, { defaultUrl, jobId: "7" })).toBe(own);
    expect(resolveWebhook(own, { defaultUrl: undefined, jobId: "7" })).toBe(own);
  });

  it("uses the deployment's webhook for a job without one, with {jobId} replaced and all events", () => {
    expect(resolveWebhook(null, { defaultUrl, jobId: "7" })).toEqual({
      url: "https://all.example/jobs/7?id=7",
      headers: {},
      metadata: {},
      events: JOB_KINDS.crawl.events,
      isDefault: true,
    });
  });

  it("sends no events when neither the request nor the server names a webhook", () => {
    expect(resolveWebhook(undefined, { defaultUrl: undefined, jobId: "7" })).toBeUndefined();
  });
});

describe("webhook check at the request", () => {
  it.each([
    "http://127.0.0.1/hook",
    "http://10.1.2.3:8080/",
    "http://[::1]/",
    "http://2130706433/",
    "http://169.254.169.254/latest",
    "http://localhost:3000/",
    "http://a.localhost/",
  ])("rejects the webhook %s and says how to allow it", async (url) => {
    await expect(checkWebhook({ url }, openEgress())).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^webhook: .*QUARRY_EGRESS_ALLOW=/),
      details: [{ path: ["webhook", "url"] }],
    });
  });

  it("accepts an address the operator allowed, and only that port", async () => {
    const open = openEgress(["127.0.0.1:8080"]);
    await checkWebhook({ url: "http://127.0.0.1:8080/hook" }, open);
    await expect(checkWebhook({ url: "http://127.0.0.1:8081/hook" }, open)).rejects.toThrow();
  });

  it("accepts public addresses and names", async () => {
    for (const url of ["https://93.184.216.34/", "https://hooks.example.com/a"])
      await expect(checkWebhook({ url }, openEgress())).resolves.toBeUndefined();
  });
});
