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

const HEADLINES = {
  change: "changed",
  broken: "cannot be read",
  recovered: "can be read again",
  test: "test notification",
} as const;

function buildTitle(payloads: readonly NoticePayload[]): string {
  const [first] = payloads;
  if (first === undefined) return "";
  const name = toOneLine(first.monitorName);
  if (first.event === "test") return `${name}: test notification`;
  const count = payloads.reduce((sum, { pages, more }) => sum + pages.length + more, 0);
  const events = new Set(payloads.map(({ event }) => event));
  const [page] = first.pages;
  if (count === 1 && page !== undefined) {
    const what =
      page.status === "new"
        ? "is new"
        : page.status === "removed"
          ? "is gone"
          : HEADLINES[first.event];
    return `${name}: ${toOneLine(page.title ?? page.url)} ${what}`.slice(0, MAX_TITLE_CHARACTERS);
  }
  const what =
    events.size === 1 ? `${count} pages: ${HEADLINES[first.event]}` : `${count} pages to look at`;
  return `${name}: ${what}`.slice(0, MAX_TITLE_CHARACTERS);
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
  const rest = hidden > 0 ? [`${hidden} more pages.`] : [];
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
