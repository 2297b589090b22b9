// What `import … from "@quarry/client"` offers.
export { QuarryClient, type QuarryClientOptions, type ScrapeParameters } from "./client.ts";
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
export type { Clock } from "./retry.ts";
export type { CallOptions, Fetch } from "./transport.ts";
export type * from "./wire.ts";
