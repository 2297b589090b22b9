/**
 * Verdicts on a delivered page. `content` and `partial` are text of the requested page; every other
 * value names what came instead. Clients may rely on the list: a new value is an API change.
 */
export const VERDICTS = [
  "content",
  "partial",
  "bot_check",
  "blocked",
  "login",
  "error_page",
  "soft_404",
  "empty_shell",
  "empty",
] as const;

export type VerdictKind = (typeof VERDICTS)[number];

/** Descriptions for the reference, one line per value. */
export const VERDICT_MEANINGS: Readonly<Record<VerdictKind, string>> = {
  content: "the page",
  partial: "the page, cut short: the body or the document ended early",
  bot_check: "a check that the visitor is human (CAPTCHA, JavaScript challenge)",
  blocked: "a page of a firewall or bot defence that refuses the visitor",
  login: "a login form instead of the content",
  error_page: "the page of an HTTP error status (4xx, 5xx)",
  soft_404: "an error page that was sent with a success status",
  empty_shell: "an application whose text is created by its scripts",
  empty: "no text at all",
};

/** Kind of the response: the page, a refusal, no text, or an error page. */
export const VERDICT_GROUPS: Readonly<
  Record<VerdictKind, "content" | "blocked" | "thin" | "error">
> = {
  content: "content",
  partial: "content",
  bot_check: "blocked",
  blocked: "blocked",
  login: "blocked",
  error_page: "error",
  soft_404: "error",
  empty_shell: "thin",
  empty: "thin",
};

/** True if the document contains text of the requested page. */
export const hasContent = (verdict: VerdictKind): boolean => VERDICT_GROUPS[verdict] === "content";
