// Links to the other pages of a list.
import type { NotedLink } from "./read-page.ts";
import { toUrlIdentity } from "./run-scope.ts";

const NEXT =
  /^(?:next(?: page)?|more|older|load more|show more|weiter|nächste(?: seite)?|ältere|suivante?|page suivante|siguiente|próxima|avanti|successiva|volgende|nästa|næste|neste|następna|další|след(?:ующая)?|вперёд|далее|次へ|次|下一页|下一頁|다음)?\s*[›»→>❯▶]{0,3}$/iu;
const NUMBER = /^\d{1,4}$/;
const PAGE_QUERY =
  /(?:[?&]|\/)(?:page|p|pg|paged|seite|pagina|pagenumber)[=/](\d{1,6})(?=$|[/?&#])/i;
const OFFSET_QUERY = /[?&](?:offset|start|from|skip)=(\d{1,7})(?=$|[&#])/i;

const isNextLabel = (text: string): boolean => text !== "" && NEXT.test(text);

/** True if a link leads to another page of the list on `page`. */
export function isPagination(link: NotedLink, page: URL): boolean {
  const url = URL.parse(link.url);
  if (url?.host !== page.host) return false;
  const text = link.text.trim();
  return (
    link.isNext ||
    PAGE_QUERY.test(url.href) ||
    OFFSET_QUERY.test(url.href) ||
    isNextLabel(text) ||
    NUMBER.test(text)
  );
}

/** Number of a page of a list by its URL; a list without one is its first. */
export const readPageNumber = (url: string): number => Number(PAGE_QUERY.exec(url)?.[1] ?? 1);

const readOffset = (url: string): number => Number(OFFSET_QUERY.exec(url)?.[1] ?? 0);

/**
 * The next page of a list: declared, labelled as next, or with the next number. Undefined on the
 * last.
 */
export function findNextPage(
  links: readonly NotedLink[],
  page: URL,
  seen: ReadonlySet<string>,
): string | undefined {
  const others = links.filter(({ url }) => {
    const target = URL.parse(url);
    return target !== null && target.host === page.host && !seen.has(toUrlIdentity(target));
  });
  const current = readPageNumber(page.href);
  const isAfter = ({ url, text }: NotedLink): boolean =>
    readPageNumber(url) === current + 1 &&
    (PAGE_QUERY.test(url) || text.trim() === String(current + 1));
  const isContinued = ({ url }: NotedLink): boolean =>
    readPageNumber(url) >= current && readOffset(url) >= readOffset(page.href);
  const offsets = others
    .filter(
      ({ url }) =>
        readOffset(url) > readOffset(page.href) && new URL(url).pathname === page.pathname,
    )
    .toSorted((one, other) => readOffset(one.url) - readOffset(other.url));
  return (
    others.find(({ isNext }) => isNext) ??
    others.find((link) => isNextLabel(link.text.trim()) && isContinued(link)) ??
    others.find(isAfter) ??
    offsets[0]
  )?.url;
}
