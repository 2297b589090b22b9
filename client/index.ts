// The exports of "@quarry/client".
export { Admin, type AdminCall } from "./admin.ts";
export { type AgentParameters, AgentRun, Agents, type AgentsLink } from "./agents.ts";
export {
  type BatchParameters,
  type CrawlParameters,
  type ExtractParameters,
  type FinishedJob,
  type LlmsTxtParameters,
  type MapParameters,
  type ParseParameters,
  QuarryClient,
  type QuarryClientOptions,
  type ScrapeParameters,
  type SearchParameters,
  type StartedBatch,
  type StartOptions,
} from "./client.ts";
export {
  type ApiErrorCode,
  BadRequestError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  PaymentRequiredError,
  QuarryApiError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";
export { Changes } from "./changes.ts";
export { Extractors, type ExtractorsLink } from "./extractors.ts";
export { type FollowOptions, Job, type JobLink, type WatchOptions } from "./job.ts";
export { Monitors, type MonitorsLink } from "./monitors.ts";
export type { Clock } from "./retry.ts";
export type { UploadedFile } from "./multipart.ts";
export { BrowserSession, type RunOptions, type SessionCall } from "./session.ts";
export type { CallOptions, Fetch, ReadOptions } from "./transport.ts";
export type { JobUpdate, OpenSocket, Socket } from "./watch.ts";
export type * from "./wire.ts";
