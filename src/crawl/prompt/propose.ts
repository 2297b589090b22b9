// Proposes crawl options from a prompt, read by a model if there is one and by rules otherwise.
// Both are checked against the site's known URLs.
import type { CrawlOptions } from "../../contract/jobs/crawl.ts";
import type { Deadline } from "../../deadline.ts";
import type { LanguageModel } from "../../models/model.ts";
import { compileScope, judgeUrl, type Scope } from "../../url/scope.ts";
import { askModel } from "./ask-model.ts";
import { locate, type KnownSite } from "./locate.ts";
import { readPrompt } from "./read-prompt.ts";
import type { PromptNotUnderstood, PromptOptions, PromptUnderstanding } from "./reading.ts";

export type Proposal = {
  /** The options that the prompt sets, in the spelling of the wire. */
  readonly options: PromptOptions;
  readonly understood: readonly PromptUnderstanding[];
  readonly notUnderstood: readonly PromptNotUnderstood[];
  /** Interpreter of the prompt. */
  readonly readBy: "rules" | "model";
  /**
   * Known URLs of the site, and how many a crawl with these options could fetch; undefined without
   * known URLs.
   */
  readonly known: { readonly urls: number; readonly matching: number } | undefined;
  readonly warnings: readonly string[];
};

export type ProposalRequest = {
  readonly prompt: string;
  readonly site: KnownSite;
  readonly model: LanguageModel | undefined;
  readonly deadline: Deadline;
  readonly now: number;
};

/** Never throws because of the prompt's text or a model's answer. */
export async function proposeOptions(request: ProposalRequest): Promise<Proposal> {
  const { prompt, site, model } = request;
  if (prompt.trim() === "") return buildProposal(NOTHING, site, "rules");
  if (model !== undefined) {
    const asked = await askModel({ ...request, model });
    if ("options" in asked) return buildProposal({ ...asked, warnings: [] }, site, "model");
    return buildProposal({ ...readByRules(request), warnings: [asked.failure] }, site, "rules");
  }
  return buildProposal({ ...readByRules(request), warnings: [] }, site, "rules");
}

type PartialProposal = Pick<Proposal, "options" | "understood" | "notUnderstood" | "warnings">;

const NOTHING: PartialProposal = { options: {}, understood: [], notUnderstood: [], warnings: [] };

function readByRules({ prompt, site }: ProposalRequest): Omit<PartialProposal, "warnings"> {
  const { options, places, understood, notUnderstood } = readPrompt(prompt);
  const located = locate(places, site);
  return {
    options: {
      ...options,
      ...(located.include.length === 0 ? {} : { includePaths: [...located.include] }),
      ...(located.exclude.length === 0 ? {} : { excludePaths: [...located.exclude] }),
    },
    understood: [...understood, ...located.understood],
    notUnderstood: [...notUnderstood, ...located.notUnderstood],
  };
}

function buildProposal(
  read: PartialProposal,
  site: KnownSite,
  readBy: Proposal["readBy"],
): Proposal {
  const warnings = [...read.warnings];
  const { options, dropped } = dropUnmatchedPatterns(read.options, site);
  const notUnderstood = [...read.notUnderstood, ...dropped];
  const whole = widenToDomain(options, site);
  if (notUnderstood.length > 0) warnings.push(joinReasons(notUnderstood));
  if (!site.checked)
    warnings.push("The site could not be looked at, so the options are not checked against it.");
  const known = site.checked ? count(whole, site) : undefined;
  if (known !== undefined && known.urls > 0 && known.matching === 0)
    warnings.push(`None of the ${known.urls} known URLs of the site matches these options.`);
  return { ...read, options: whole, notUnderstood, readBy, known, warnings };
}

const joinReasons = (parts: readonly PromptNotUnderstood[]): string =>
  `Not understood: ${parts
    .map(({ text, reason }) => `"${text}"${reason === undefined ? "" : ` (${reason})`}`)
    .join(", ")}.`;

/** Drops patterns that no known URL matches, except those written as a path. */
function dropUnmatchedPatterns(
  options: PromptOptions,
  { urls, checked }: KnownSite,
): { options: PromptOptions; dropped: PromptNotUnderstood[] } {
  const { includePaths } = options;
  if (!checked || urls.length === 0 || !includePaths || includePaths.length < 2)
    return { options, dropped: [] };
  const isKnown = (pattern: string): boolean => {
    const scope = compileScope({ startUrl: urls[0]?.href ?? "", includePaths: [pattern] });
    return urls.some((url) => scope.include.match(url, url.href) !== undefined);
  };
  const kept = includePaths.filter(isKnown);
  if (kept.length === 0 || kept.length === includePaths.length) return { options, dropped: [] };
  const dropped = includePaths
    .filter((pattern) => !kept.includes(pattern))
    .map((text) => ({ text, reason: "no known URL of the site matches it" }));
  return { options: { ...options, includePaths: kept }, dropped };
}

function compilePromptScope(options: PromptOptions, { start }: KnownSite): Scope {
  return compileScope({
    startUrl: start.href,
    includePaths: options.includePaths ?? [],
    excludePaths: options.excludePaths ?? [],
    crawlEntireDomain: options.crawlEntireDomain ?? false,
    allowSubdomains: options.allowSubdomains ?? false,
    allowExternalLinks: options.allowExternalLinks ?? false,
    ignoreQueryParameters: options.ignoreQueryParameters ?? false,
  });
}

const isAllowed = (scope: Scope, url: URL): boolean =>
  judgeUrl({ url: url.href, depth: 0, source: "sitemap" }, scope).accepted;

function count(options: PromptOptions, site: KnownSite): { urls: number; matching: number } {
  const scope = compilePromptScope(options, site);
  const matching = site.urls.filter((url) => isAllowed(scope, url)).length;
  return { urls: site.urls.length, matching };
}

/** Sets crawlEntireDomain when the prompt names a part that is not below the start path. */
function widenToDomain(options: PromptOptions, site: KnownSite): PromptOptions {
  const { includePaths, crawlEntireDomain } = options;
  if (crawlEntireDomain !== undefined || !includePaths || site.start.pathname === "/")
    return options;
  const inside = count(options, site).matching;
  const lifted = { ...options, crawlEntireDomain: true };
  return count(lifted, site).matching > inside ? lifted : options;
}

/** Merges the proposal into the crawl's options. Fields that the caller set win. */
export function applyProposal(
  options: CrawlOptions,
  proposed: PromptOptions,
  given: ReadonlySet<string>,
): CrawlOptions {
  const taken = Object.entries(proposed).filter(
    ([name]) => !given.has(name) && !(name === "sitemap" && given.has("ignoreSitemap")),
  );
  return { ...options, ...(Object.fromEntries(taken) as Partial<CrawlOptions>) };
}
