// Decides whether two pages of a crawl are the same document: same final URL, same canonical URL
// where only the query differs, or same bytes. Trusting rel=canonical further would lose pages:
// some sites put their front page into all of them.
import { createHash } from "node:crypto";
import type { DuplicateKeys } from "../../store/jobs/finish.ts";
import { hashIdentity, toIdentity } from "../../url/identity.ts";
import type { ScopeRules } from "../../url/scope.ts";

/** Paging parameters: such pages name the first page as canonical but are not the same. */
const PAGING = /^(?:p|pg|page|paged|pagenum|page_?no|start|offset|from|skip|cursor|after|s)$/i;

export function toDuplicateKeys(
  final: URL,
  canonicalUrl: string | undefined,
  rules: ScopeRules,
  page: { readonly statusCode: number; readonly body: Uint8Array },
): DuplicateKeys {
  const canonical = findCanonical(final, canonicalUrl);
  const target =
    canonical === undefined
      ? ({ identity: hashIdentity(toIdentity(final, rules)), by: "redirect" } as const)
      : ({ identity: hashIdentity(toIdentity(canonical, rules)), by: "canonical" } as const);
  const comparable =
    rules.deduplicateSimilarURLs === true &&
    page.statusCode >= 200 &&
    page.statusCode < 300 &&
    page.body.length > 0;
  return comparable ? { target, content: hashContent(page.body) } : { target };
}

/** Returns the canonical URL if it is the same page with other parameters; undefined otherwise. */
function findCanonical(final: URL, named: string | undefined): URL | undefined {
  const canonical = named === undefined ? null : URL.parse(named);
  if (canonical === null || canonical.search === final.search) return undefined;
  if (canonical.host !== final.host || canonical.pathname !== final.pathname) return undefined;
  const changed = [...final.searchParams].filter(
    ([name, value]) => canonical.searchParams.get(name) !== value,
  );
  return changed.length > 0 && !changed.some(([name]) => PAGING.test(name)) ? canonical : undefined;
}

const hashContent = (body: Uint8Array): bigint =>
  createHash("sha256").update(body).digest().readBigInt64BE(0);
