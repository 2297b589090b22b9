// The single table of error codes: wire code -> HTTP status, whether a retry can help, one
// sentence. The reference page is generated from it. Source: wire contract, error codes and their
// HTTP status.

export type ErrorCodeRow = {
  readonly status: number;
  /** True if repeating the same request may succeed. */
  readonly retryable: boolean;
  readonly meaning: string;
};

const defineRow = (status: number, retryable: boolean, meaning: string): ErrorCodeRow => ({
  status,
  retryable,
  meaning,
});

export const ERROR_CODES = {
  SCRAPE_NO_CACHED_DATA: defineRow(
    404,
    false,
    "minAge was set and the cache holds no copy of the page that is old enough.",
  ),
  BAD_REQUEST: defineRow(
    400,
    false,
    "The request does not match the contract; details lists each issue by field.",
  ),
  BAD_REQUEST_INVALID_JSON: defineRow(400, false, "The request body is not valid JSON."),
  UNAUTHORIZED: defineRow(401, false, "The API key is missing, unknown, expired or revoked."),
  INSUFFICIENT_CREDITS: defineRow(402, false, "The key's budget does not cover the call."),
  FORBIDDEN: defineRow(
    403,
    false,
    "The key lacks a scope or may not fetch this host, or its account is disabled.",
  ),
  UNSUPPORTED_SITE: defineRow(403, false, "The address may not be reached from this server."),
  NOT_FOUND: defineRow(404, false, "The resource does not exist or has expired."),
  EXTRACTOR_NOT_LEARNED: defineRow(
    422,
    false,
    "No field could be learned from the given pages; details says why for each field.",
  ),
  METHOD_NOT_ALLOWED: defineRow(
    405,
    false,
    "The path does not support this method; the header Allow lists the supported ones.",
  ),
  CONFLICT: defineRow(409, false, "The request conflicts with an earlier one."),
  GONE: defineRow(410, false, "The resource existed and was destroyed."),
  PAYLOAD_TOO_LARGE: defineRow(413, false, "The request body is larger than the limit."),
  UNSUPPORTED_MEDIA_TYPE: defineRow(415, false, "The endpoint does not accept this Content-Type."),
  RATE_LIMITED: defineRow(
    429,
    true,
    "The key has used up its requests for this minute (reads are counted separately); Retry-After says when to retry.",
  ),
  CONCURRENCY_LIMITED: defineRow(
    429,
    true,
    "The key has reached its limit of concurrent requests; Retry-After says when to retry.",
  ),
  UNKNOWN_ERROR: defineRow(500, true, "An internal error; find it in the log by the request id."),
  NOT_IMPLEMENTED: defineRow(
    501,
    false,
    "This server lacks the capability; GET /v2/capabilities says why.",
  ),
  UNAVAILABLE: defineRow(
    503,
    true,
    "The service is starting or stopping, or its storage does not respond.",
  ),
  SCRAPE_TIMEOUT: defineRow(408, true, "The request ran longer than its timeout."),
  SEARCH_FAILED: defineRow(
    500,
    true,
    "The server's search provider failed or rejected the request.",
  ),
  SEARCH_BUSY: defineRow(
    429,
    true,
    "The search provider is over its limit; Retry-After says when to retry.",
  ),
  MAP_TIMEOUT: defineRow(408, true, "The map ran longer than its timeout."),
  CONCURRENCY_QUEUE_TIMEOUT: defineRow(
    408,
    true,
    "No slot became free within two thirds of the timeout.",
  ),
  SCRAPE_DNS_RESOLUTION_ERROR: defineRow(200, false, "The host name does not resolve."),
  SCRAPE_ACTIONS_NOT_SUPPORTED: defineRow(400, false, "Actions cannot run on this kind of file."),
  SCRAPE_JSON_CONTENT_TOO_LARGE: defineRow(
    400,
    false,
    "The page is too large for structured extraction.",
  ),
  PARSE_UNSUPPORTED_OPTIONS: defineRow(
    400,
    false,
    "Uploaded files do not support this option or format.",
  ),
  UNSUPPORTED_FILE_TYPE: defineRow(400, false, "Files of this type cannot be uploaded."),
  SCRAPE_MEDIA_ACCESS_DENIED: defineRow(403, false, "The media of the page cannot be fetched."),
  SCRAPE_PROMPT_INJECTION_DETECTED: defineRow(403, false, "The page contains a prompt injection."),
  SCRAPE_LOCKDOWN_CACHE_MISS: defineRow(
    404,
    false,
    "lockdown was set and the cache does not hold the page.",
  ),
  PARSE_UPLOAD_UNPARSED_LIMIT_REACHED: defineRow(429, true, "Too many uploads are not parsed yet."),
  PARSE_UPLOAD_REF_SECRET_MISSING: defineRow(
    503,
    false,
    "Upload references are not set up on this server.",
  ),
  PARSE_UPLOAD_STORAGE_DISABLED: defineRow(
    503,
    false,
    "Upload storage is not set up on this server.",
  ),
  SCRAPE_ALL_ENGINES_FAILED: defineRow(
    500,
    true,
    "Every engine that could serve the request failed; details has the reasons.",
  ),
  SCRAPE_SSL_ERROR: defineRow(
    500,
    false,
    "The site's TLS certificate is not valid and verification was asked for.",
  ),
  SCRAPE_SITE_ERROR: defineRow(
    500,
    true,
    "The site could not be reached or dropped the connection.",
  ),
  SCRAPE_RESPONSE_TOO_LARGE: defineRow(
    500,
    false,
    "The response is larger than the limit on decoded bytes.",
  ),
  SCRAPE_TOO_MANY_REDIRECTS: defineRow(500, false, "The site redirects too often."),
  SCRAPE_PROXY_SELECTION_ERROR: defineRow(
    500,
    true,
    "No configured upstream proxy matches the request.",
  ),
  SCRAPE_PDF_PREFETCH_FAILED: defineRow(500, true, "The PDF could not be fetched."),
  SCRAPE_DOCUMENT_PREFETCH_FAILED: defineRow(500, true, "The document could not be fetched."),
  SCRAPE_JOB_CANCELLED: defineRow(
    500,
    false,
    "The job was cancelled while the page was in progress.",
  ),
  SCRAPE_RETRY_LIMIT: defineRow(500, true, "The page reached the maximum number of attempts."),
  SCRAPE_ZDR_VIOLATION_ERROR: defineRow(
    500,
    false,
    "The request asks for something that zero data retention forbids.",
  ),
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: defineRow(
    500,
    false,
    "The PDF needs more time than the timeout leaves.",
  ),
  SCRAPE_PDF_ANTIBOT_ERROR: defineRow(
    500,
    true,
    "The site answered a bot check instead of the PDF.",
  ),
  SCRAPE_PDF_FETCH_PROXY_ERROR: defineRow(500, true, "The proxy failed while fetching the PDF."),
  SCRAPE_PDF_OCR_REQUIRED: defineRow(
    500,
    false,
    "The PDF is a scan and mode fast reads embedded text only.",
  ),
  SCRAPE_DOCUMENT_ANTIBOT_ERROR: defineRow(
    500,
    true,
    "The site answered a bot check instead of the document.",
  ),
  SCRAPE_DOCUMENT_FETCH_PROXY_ERROR: defineRow(
    500,
    true,
    "The proxy failed while fetching the document.",
  ),
  SCRAPE_UNSUPPORTED_FILE_ERROR: defineRow(
    500,
    false,
    "The server cannot turn this type of file into the formats asked for.",
  ),
  SCRAPE_ACTION_ERROR: defineRow(
    500,
    false,
    "A browser action failed; the text names its index, type, selector and reason.",
  ),
  SCRAPE_SITEMAP_ERROR: defineRow(500, true, "The sitemap could not be read."),
  SCRAPE_BRANDING_NOT_SUPPORTED: defineRow(500, false, "Branding is read from HTML pages only."),
  SCRAPE_AUDIO_UNSUPPORTED_URL: defineRow(500, false, "No audio was found on the page."),
  SCRAPE_VIDEO_UNSUPPORTED_URL: defineRow(500, false, "No video was found on the page."),
  SCRAPE_FAILED_BLOCKED: defineRow(
    500,
    true,
    "The site answered a bot check or block page instead of its content.",
  ),
  MAP_FAILED: defineRow(500, true, "The site could not be mapped."),
  MODEL_REQUIRED: defineRow(
    422,
    false,
    "The request needs a language model, and the server has none; the message says what to send instead.",
  ),
  MODEL_FAILED: defineRow(
    502,
    true,
    "The language model could not be reached or gave no usable answer.",
  ),
  MODEL_BUSY: defineRow(503, true, "The model provider rejects further calls for now."),
  AGENT_REFUSED: defineRow(500, false, "The language model declined the prompt."),
  AGENT_NO_ANSWER: defineRow(
    500,
    false,
    "The language model ended without an answer; what it had collected is in partial.",
  ),
  AGENT_EMPTY_ANSWER: defineRow(
    500,
    false,
    "The language model found no data for the prompt on the pages it read.",
  ),
  AGENT_NEEDS_MODEL: defineRow(
    501,
    false,
    "The request needs a language model and the server has none; what rules found is in partial.",
  ),
  AGENT_INCOMPLETE: defineRow(
    500,
    false,
    "The agent's data does not match the schema; it is in partial.",
  ),
  thread_not_found: defineRow(404, false, "The agent thread does not exist."),
  thread_busy: defineRow(409, true, "The agent thread is running."),
  thread_expired: defineRow(410, false, "The agent thread has expired."),
} as const satisfies Record<string, ErrorCodeRow>;

export type ErrorCode = keyof typeof ERROR_CODES;
