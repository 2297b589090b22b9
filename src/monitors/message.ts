// Text of a notification: a title, lines of plain text, and HTML for e-mail. Page text is escaped.
import type { NoticePage, NoticePayload } from "./notices.ts";

export type Message = {
  readonly title: string;
  readonly text: string;
  readonly html: string;
};

const MAX_PAGES_SHOWN = 10;
const MAX_TITLE_CHARACTERS = 200;

const toOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** Of one page, and of several. */
const HEADLINES = {
  change: ["changed", "changed"],
  new: ["is new", "are new"],
  removed: ["is gone", "are gone"],
  broken: ["cannot be read", "cannot be read"],
  recovered: ["can be read again", "can be read again"],
} as const;
type Headline = keyof typeof HEADLINES;

type PageHeadline = { readonly page: NoticePage; readonly headline: Headline };

function listHeadlines({ event, pages }: NoticePayload): PageHeadline[] {
  if (event === "test") return [];
  return pages.map((page) => {
    const { status } = page;
    const isNewOrRemoved = event === "change" && (status === "new" || status === "removed");
    return { page, headline: isNewOrRemoved ? status : event };
  });
}

/** A digest can have several notifications of one page. */
function buildTitle(payloads: readonly NoticePayload[]): string {
  const [first] = payloads;
  if (first === undefined) return "";
  const name = toOneLine(first.monitorName);
  const what = first.event === "test" ? "test notification" : describePages(payloads);
  return `${name}: ${what}`.slice(0, MAX_TITLE_CHARACTERS);
}

function describePages(payloads: readonly NoticePayload[]): string {
  const headlines = payloads.flatMap(listHeadlines);
  const times = new Map<Headline, number>();
  for (const { headline } of headlines) times.set(headline, (times.get(headline) ?? 0) + 1);
  const urls = new Set(headlines.map(({ page }) => page.url));
  const isCut = payloads.some(({ more }) => more > 0);
  const page = headlines.at(-1)?.page;
  if (urls.size === 1 && !isCut && page !== undefined) {
    const words = [...times].map(
      ([headline, count]) => `${HEADLINES[headline][0]}${count > 1 ? ` (${count} times)` : ""}`,
    );
    return `${toOneLine(page.title ?? page.url)} ${words.join(", ")}`;
  }
  // Pages of different checks that are not listed may be the same.
  const largest = Math.max(...payloads.map(({ pages, more }) => pages.length + more));
  const count = Math.max(urls.size, largest);
  const pages = isCut && payloads.length > 1 ? `at least ${count} pages` : `${count} pages`;
  const [only, ...others] = times.keys();
  if (
    isCut &&
    [only, ...others].some((headline) => headline !== "broken" && headline !== "recovered")
  )
    return `${pages} need attention`;
  if (only !== undefined && others.length === 0) return `${pages} ${HEADLINES[only][1]}`;
  return `${pages}: ${[...times.keys()].map((headline) => HEADLINES[headline][1].replace("are ", "")).join(", ")}`;
}

function buildTextLines({ url, reason, added, removed }: NoticePage): string[] {
  return [
    url,
    ...(reason === "" ? [] : [toOneLine(reason)]),
    ...removed.map((line) => `- ${toOneLine(line)}`),
    ...added.map((line) => `+ ${toOneLine(line)}`),
  ];
}

function renderHtml({ url, title, reason, added, removed }: NoticePage): string {
  const renderLine = (sign: string, color: string, text: string): string =>
    `<div style="background:${color};font-family:monospace;white-space:pre-wrap">${sign} ${escapeHtml(toOneLine(text))}</div>`;
  const address = escapeHtml(url);
  const link = /^https?:/i.test(url)
    ? `<a href="${address}">${escapeHtml(toOneLine(title ?? url))}</a>`
    : address;
  return [
    `<h3>${link}</h3>`,
    `<p>${address}${reason === "" ? "" : `<br>${escapeHtml(toOneLine(reason))}`}</p>`,
    ...removed.map((text) => renderLine("-", "#ffebe9", text)),
    ...added.map((text) => renderLine("+", "#e6ffec", text)),
  ].join("\n");
}

/** One message for the notifications of a channel that are due together. */
export function buildMessage(
  payloads: readonly NoticePayload[],
  /** For e-mail: the link at its end. */
  unsubscribe?: string,
): Message {
  const title = buildTitle(payloads);
  const all = payloads.flatMap(({ pages }) => pages);
  const shown = all.slice(0, MAX_PAGES_SHOWN);
  const hidden = all.length - shown.length + payloads.reduce((sum, { more }) => sum + more, 0);
  const rest = hidden > 0 ? [`And ${hidden} more.`] : [];
  const isTest = payloads.every(({ event }) => event === "test");
  const intro = isTest ? ["This channel works."] : [];
  const text = [
    ...intro,
    ...shown.map((page) => buildTextLines(page).join("\n")),
    ...rest,
    ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
  ];
  const html = [
    ...intro.map((line) => `<p>${line}</p>`),
    ...shown.map(renderHtml),
    ...rest.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(unsubscribe === undefined
      ? []
      : [`<p style="color:#666"><a href="${escapeHtml(unsubscribe)}">Unsubscribe</a></p>`]),
  ];
  return {
    title,
    text: text.join("\n\n"),
    html: `<!doctype html><meta charset="utf-8"><h2>${escapeHtml(title)}</h2>\n${html.join("\n")}`,
  };
}
