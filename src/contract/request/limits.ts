// The limits of the contract as plain data that the SDK may bundle. They are not settings.

export const LIMITS = {
  /** Any count or offset: fits a database's 32-bit integer with room to add. */
  count: 2_000_000_000,
  timeoutMs: { min: 1_000, max: 300_000, default: 30_000 },
  /**
   * A timeout equal to the documented default means "default", which is widened (wire contract,
   * cross-field rules).
   */
  widenedTimeoutMs: { default: 120_000, understanding: 60_000 },
  waitForMs: { max: 60_000 },
  maxAgeMs: { default: 172_800_000, lockdown: 63_072_000_000 },
  actions: { max: 50, waitTotalMs: 60_000, selectorWaitMs: 30_000, selectorWaitCountsMs: 1_000 },
  screenshot: { maxWidth: 7_680, maxHeight: 4_320, urlLifeMs: 86_400_000 },
  audio: { urlLifeMs: 3_600_000 },
  promptCharacters: 10_000,
  requestBodyBytes: 10 * 1024 * 1024,
  uploadBytes: 50 * 1024 * 1024,
  /** Files sent before the request that parses them. */
  uploads: { lifeMs: 600_000, unparsed: 10, unparsedWindowMs: 86_400_000 },
  crawl: {
    limit: 10_000,
    delaySeconds: 60,
    pageBytes: 10 * 1024 * 1024,
    pageDocuments: 100,
    maxPageDocuments: 1_000,
  },
  map: { limit: 100, maxLimit: 100_000 },
  search: { limit: 10, maxLimit: 100, timeoutMs: 60_000, queryCharacters: 500 },
  interact: { codeCharacters: 100_000, timeoutSeconds: 30, maxTimeoutSeconds: 300, sessions: 20 },
  agent: { maxCredits: 2_500 },
} as const;
