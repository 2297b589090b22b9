// One reply per route that the published JavaScript client calls.
export const id = "0199f0c0-0000-7000-8000-000000000000";
export const url = "https://example.com";
const time = "2026-11-21T10:00:00.000Z";
const document = { markdown: "# A", metadata: { sourceURL: url, statusCode: 200, scrapeId: id } };
const job = {
  success: true,
  status: "completed",
  total: 1,
  completed: 1,
  creditsUsed: 1,
  createdAt: time,
  expiresAt: time,
  data: [document],
};
export const errors = { errors: [], robotsBlocked: [url] };
const session = {
  id,
  status: "active",
  cdpUrl: "ws://a",
  liveViewUrl: url,
  streamWebView: true,
  createdAt: time,
  lastActivity: time,
  expiresAt: time,
};
const summary = { totalPages: 1, same: 1, changed: 0, new: 0, removed: 0, error: 0 };
const check = {
  id,
  monitorId: id,
  status: "completed",
  trigger: "manual",
  billingStatus: "confirmed",
  summary,
  createdAt: time,
  updatedAt: time,
};
const monitor = {
  id,
  name: "a",
  status: "active",
  schedule: { cron: "0 * * * *", timezone: "UTC" },
  targets: [],
  retentionDays: 30,
  createdAt: time,
  updatedAt: time,
};
const history = {
  success: true,
  periods: [{ startDate: time, endDate: null, creditsUsed: 1, totalCredits: 1, tokensUsed: 1 }],
};
const usage = {
  remainingCredits: 1,
  planCredits: 1,
  remainingTokens: 1,
  planTokens: 1,
  billingPeriodStart: null,
  billingPeriodEnd: null,
};

export const REPLIES: Record<string, unknown> = {
  "POST /v2/scrape": { success: true, data: document },
  "POST /v2/parse": { success: true, data: document },
  "POST /v2/scrape/:scrapeId/interact": {
    success: true,
    stdout: "",
    result: "1",
    stderr: "",
    exitCode: 0,
    killed: false,
  },
  "DELETE /v2/scrape/:scrapeId/interact": { success: true, sessionDurationMs: 5 },
  "POST /v2/search": {
    success: true,
    id,
    creditsUsed: 2,
    data: { web: [{ url, title: "a", position: 1 }] },
  },
  "POST /v2/map": { success: true, id, links: [{ url, title: "a" }] },
  "POST /v2/feedback": { success: true, feedbackId: id, creditsRefunded: 0 },
  "POST /v2/search/:jobId/feedback": { success: true, feedbackId: id, creditsRefunded: 0 },
  "POST /v2/crawl": { success: true, id, url },
  "GET /v2/crawl/:id": job,
  "DELETE /v2/crawl/:id": { success: true, status: "cancelled" },
  "GET /v2/crawl/:id/errors": errors,
  "GET /v2/crawl/active": {
    success: true,
    crawls: [{ id, teamId: "t", url, created_at: time, options: {} }],
  },
  "POST /v2/crawl/params-preview": { success: true, data: { url, limit: 5 }, warning: "w" },
  "POST /v2/batch/scrape": { success: true, id, url, invalidURLs: [] },
  "GET /v2/batch/scrape/:id": job,
  "DELETE /v2/batch/scrape/:id": { success: true, status: "cancelled" },
  "GET /v2/batch/scrape/:id/errors": errors,
  "POST /v2/extract": { success: true, id, urlTrace: [] },
  "GET /v2/extract/:id": { success: true, status: "completed", data: {}, expiresAt: time },
  "POST /v2/agent": { success: true, id },
  "GET /v2/agent": { success: true, agents: [] },
  "GET /v2/agent/:jobId": {
    success: true,
    status: "completed",
    data: { a: 1 },
    expiresAt: time,
    creditsUsed: 1,
  },
  "DELETE /v2/agent/:jobId": { success: true },
  "GET /v2/agent/:jobId/trace": { success: true, id, events: [] },
  "GET /v2/agent/:jobId/snapshots/:snapshotId": {
    success: true,
    id,
    snapshotId: "s",
    snapshot: "a",
  },
  "GET /v2/agent/threads/:threadId": {
    success: true,
    thread: { id, createdAt: time, updatedAt: time, status: "idle", runs: [] },
  },
  "POST /v2/browser": { success: true, id, cdpUrl: "ws://a", expiresAt: time },
  "GET /v2/browser": { success: true, sessions: [session] },
  "POST /v2/browser/:id/execute": { success: true, stdout: "a", exitCode: 0 },
  "DELETE /v2/browser/:id": { success: true, sessionDurationMs: 5 },
  "POST /v2/monitor": { success: true, data: monitor },
  "GET /v2/monitor": { success: true, data: [monitor] },
  "GET /v2/monitor/:id": { success: true, data: monitor },
  "PATCH /v2/monitor/:id": { success: true, data: monitor },
  "DELETE /v2/monitor/:id": { success: true },
  "POST /v2/monitor/:id/run": { success: true, id, data: check },
  "GET /v2/monitor/:id/checks": { success: true, data: [check] },
  "GET /v2/monitor/:id/checks/:checkId": {
    success: true,
    next: null,
    data: { ...check, pages: [], next: null },
  },
  "GET /v2/concurrency-check": { success: true, concurrency: 1, maxConcurrency: 2 },
  "GET /v2/team/credit-usage": { success: true, data: usage },
  "GET /v2/team/token-usage": { success: true, data: usage },
  "GET /v2/team/credit-usage/historical": history,
  "GET /v2/team/token-usage/historical": history,
  "GET /v2/team/queue-status": {
    success: true,
    jobsInQueue: 0,
    activeJobsInQueue: 0,
    waitingJobsInQueue: 0,
    maxConcurrency: 2,
    mostRecentSuccess: null,
  },
};
