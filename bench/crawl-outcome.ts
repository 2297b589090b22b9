// Checks a finished crawl: each page once in the results, and each seen URL once in the ledger's
// sums.
type Page = { next?: string; data: { metadata?: { sourceURL?: string; statusCode?: number } }[] };
type Ledger = { total: number; sums: Record<string, number> };

export type Outcome = {
  documents: number;
  /** Documents answered with 200. */
  ok: number;
  /** Documents with a repeated URL. */
  doubled: number;
  urlsSeen: number;
  /** True if the URLs by fate add up to all URLs seen, with as many fetched as documents. */
  ledgerAddsUp: boolean;
  fates: Record<string, number>;
  readSeconds: number;
};

export async function readOutcome(
  base: string,
  id: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  const from = performance.now();
  const urls = new Set<string>();
  let documents = 0;
  let ok = 0;
  let next: string | undefined = `${base}/v2/crawl/${id}`;
  while (next !== undefined) {
    const page = (await (await fetch(next, { headers })).json()) as Page;
    for (const { metadata } of page.data) {
      documents += 1;
      if (metadata?.statusCode === 200) ok += 1;
      urls.add(metadata?.sourceURL ?? "");
    }
    next = page.next;
  }
  const readSeconds = Number(((performance.now() - from) / 1000).toFixed(2));
  const response = await fetch(`${base}/v2/crawl/${id}/ledger?limit=1`, { headers });
  const { total, sums } = (await response.json()) as Ledger;
  const sum = Object.values(sums).reduce((all, count) => all + count, 0);
  return {
    documents,
    ok,
    doubled: documents - urls.size,
    urlsSeen: total,
    ledgerAddsUp: sum === total && sums["fetched"] === documents,
    fates: sums,
    readSeconds,
  };
}
