// kill -9 of a server in the middle of a run: the next one resumes it and fetches no page twice
// that was recorded.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentStatusResponse } from "../../../src/contract/jobs/agent.ts";
import { serve, type Environment, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote } from "../../service.ts";
import {
  PEOPLE,
  STAFF_SCHEMA,
  staffDirectory,
  startPages,
  type PageAnswer,
} from "../../site/agent-sites.ts";

let folder: string;
let environment: Environment;
beforeAll(async () => {
  folder = await createDataFolder();
  environment = {
    QUARRY_DATA_DIR: folder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    QUARRY_AUTH: "false",
  };
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function ask(
  server: ServingProcess,
  path: string,
  body?: object,
): Promise<AgentStatusResponse> {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as AgentStatusResponse;
}

it.skipIf(isRemote)("resumes an agent run after kill -9", { timeout: 120_000 }, async () => {
  const hanging = Promise.withResolvers<void>();
  const pages = staffDirectory();
  const slow = "/people/keiko-weiss";
  const answer = pages[slow] as string;
  let killed = false;
  const once: PageAnswer = (_request, response) => {
    if (killed) response.writeHead(200, { "content-type": "text/html" }).end(answer);
    else hanging.resolve();
  };
  await using site = await startPages({ ...pages, [slow]: once });
  const first = await serve(environment);
  const { id } = (await ask(first, "/v2/agent", {
    prompt: "All members of staff with title, e-mail, phone and department",
    urls: [site.url],
    schema: STAFF_SCHEMA,
  })) as unknown as { id: string };
  await hanging.promise;
  const before = new Set(site.asked);
  await first.stop("SIGKILL");
  killed = true;
  const second = await serve(environment);
  try {
    await expect
      .poll(async () => (await ask(second, `/v2/agent/${id}`)).status, { timeout: 60_000 })
      .toBe("completed");
    const state = await ask(second, `/v2/agent/${id}`);
    const { staff } = state.data as { staff: { email: string }[] };
    expect(staff.map(({ email }) => email).toSorted()).toEqual(
      PEOPLE.map(({ email }) => email).toSorted(),
    );
    expect(before.size).toBeGreaterThan(8);
    // Only requests in flight at the kill were repeated.
    const twice = [...new Set(site.asked)].filter(
      (path) => site.asked.filter((one) => one === path).length > 1,
    );
    expect(twice).toContain(slow);
    expect(twice.length).toBeLessThanOrEqual(4);
    // Each page once: five credits where it gave data, one where it only leads to others.
    const pages = new Set(site.asked).size;
    const credits = Number(state.creditsUsed);
    expect(credits).toBeGreaterThanOrEqual(pages + 4 * PEOPLE.length);
    expect(credits).toBeLessThanOrEqual(5 * pages);
  } finally {
    await second.stop("SIGTERM");
  }
});
