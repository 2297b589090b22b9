// The published JavaScript client, unchanged, with the agent: start, poll, list, trace, cancel.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareService, type Service } from "../../service.ts";
import {
  PEOPLE,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  type PageSite,
} from "../../site/agent-sites.ts";

let service: Service;
let client: Firecrawl;
let staff: PageSite;
beforeAll(async () => {
  staff = await startPages(staffDirectory());
  service = await shareService();
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
});
afterAll(async () => {
  await service.close();
  await staff[Symbol.asyncDispose]();
});

const prompt = "All members of staff with title, e-mail, phone and department";

describe("published client and agent", () => {
  it("the published client runs an agent and waits for its data", async () => {
    const answer = await client.agent({
      prompt,
      urls: [staff.url],
      schema: STAFF_SCHEMA,
      pollInterval: 1,
      timeout: 60,
    });
    expect(answer).toMatchObject({ success: true, status: "completed" });
    const { staff: people } = answer.data as { staff: { email: string }[] };
    expect(people.map(({ email }) => email).toSorted()).toEqual(
      PEOPLE.map(({ email }) => email).toSorted(),
    );
    expect(answer.creditsUsed).toBeGreaterThan(PEOPLE.length);
  });

  it("the published client starts a run, lists it, and reads trace, snapshot and conversation", async () => {
    const started = await client.startAgent({ prompt, urls: [staff.url], effort: "low" });
    expect(started.success).toBe(true);
    const { id, threadId } = started as unknown as { id: string; threadId: string };
    let state = await client.getAgentStatus(id);
    while (state.status === "processing") state = await client.getAgentStatus(id);
    expect(state.status).toBe("failed");
    const { agents } = await client.listAgents();
    expect(agents?.[0]).toMatchObject({ id, status: "failed", targetHint: staff.url });
    const trace = await client.getAgentTrace(id);
    expect(trace.events?.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        "run.started",
        "tool_call.started",
        "tool_call.finished",
        "run.finished",
      ]),
    );
    const { snapshot } = await client.getAgentSnapshot(id, "step-0");
    expect(JSON.parse(snapshot ?? "")).toMatchObject({ statusCode: 200 });
    const { thread } = await client.getAgentThread(threadId, { includeData: true });
    expect(thread?.runs.map((run) => run.id)).toEqual([id]);
  });

  it("the published client cancels a run, which reads failed with its data", async () => {
    await using slow = await startPages({
      "/": `<title>a</title><main><p>The upload limit is 250 MB, as every page says.</p><a href="/slow">upload limit</a></main>`,
      "/slow": () => undefined,
    });
    const started = await client.startAgent({ prompt: "upload limit", urls: [slow.url] });
    const { id } = started as unknown as { id: string };
    await expect.poll(() => slow.asked).toContain("/slow");
    expect(await client.cancelAgent(id)).toBe(true);
    const state = await client.getAgentStatus(id);
    expect(state).toMatchObject({ success: true, status: "failed" });
    expect(JSON.stringify((state as { partial?: unknown }).partial)).toContain("250 MB");
  });
});
