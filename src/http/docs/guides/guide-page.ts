// The frame around a guide: navigation, search, light and dark mode. Without scripts, so that the
// policy can forbid them.
import { escapeHtml } from "./escape-html.ts";
import type { Guide, SearchHit } from "./guides.ts";

/** Guides by task; guides not listed appear under "More". */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Start", ["console", "clients", "credits", "jobs"]],
  [
    "Get pages",
    ["crawling", "search", "agent", "interact", "actions", "profiles", "llms-txt", "feeds"],
  ],
  ["Formats", ["documents", "branding", "change-tracking", "verdicts", "webhooks"]],
  ["Operate", ["scaling", "rendering", "proxies", "models", "model-prompts", "security"]],
  ["Understand", ["explaining", "benchmarks", "performance", "pages-read"]],
  ["Reference", ["reference/configuration", "reference/errors", "reference/hostile-cases"]],
];

const isDecision = (name: string): boolean => name.startsWith("decisions/");

function renderNavigation(guides: readonly Guide[], current: string): string {
  const byName = new Map(guides.map((guide) => [guide.name, guide]));
  const grouped = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = guides
    .map(({ name }) => name)
    .filter((name) => !grouped.has(name) && !isDecision(name));
  const groups = [...GROUPS, ["More", rest] as const];
  const lists = groups.map(([title, names]) => {
    const items = names.flatMap((name) => {
      const guide = byName.get(name);
      if (guide === undefined) return [];
      const here = name === current ? ' aria-current="page"' : "";
      return [`<li><a href="/docs/${name}"${here}>${escapeHtml(guide.title)}</a></li>`];
    });
    const api = title === "Reference" ? '<li><a href="/docs/api">API reference</a></li>' : "";
    return items.length === 0 && api === ""
      ? ""
      : `<h2>${title}</h2><ul>${items.join("")}${api}</ul>`;
  });
  return lists.join("");
}

type Page = {
  readonly guides: readonly Guide[];
  readonly current: string;
  readonly title: string;
  readonly body: string;
  readonly query?: string;
};

function buildPage({ guides, current, title, body, query = "" }: Page): string {
  const nav = renderNavigation(guides, current);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – Quarry</title>
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="brand" href="/docs">Quarry</a>
<form action="/docs" role="search"><input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search the guides" aria-label="Search the guides" maxlength="200"></form>
<a class="api" href="/docs/api">API reference</a>
</header>
<div class="columns">
<nav aria-label="Guides"><details class="menu"><summary>All guides</summary>${nav}</details><div class="wide">${nav}</div></nav>
<main id="content">${body}</main>
</div>
</body>
</html>
`;
}

/** The start page: every guide with its first sentences. */
export function buildIndexPage(guides: readonly Guide[]): string {
  const listed = guides.filter(({ name }) => !isDecision(name));
  const order = GROUPS.flatMap(([, names]) => names);
  const findPlace = ({ name }: Guide): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  const cards = listed
    .toSorted((left, right) => findPlace(left) - findPlace(right))
    .map(
      ({ name, title, summary }) =>
        `<li><a href="/docs/${name}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(shorten(summary))}</span></a></li>`,
    );
  const body = `<h1>Quarry documentation</h1>
<p>Quarry turns web pages, sites and files into Markdown and structured data. Its API is compatible with Firecrawl's: clients of that
family work when they are pointed at this server (<a href="/docs/clients">how</a>). Every endpoint is in the
<a href="/docs/api">API reference</a>; <a href="/openapi.json">openapi.json</a> describes it for programs.</p>
<ul class="cards">${cards.join("")}</ul>`;
  return buildPage({ guides, current: "", title: "Documentation", body });
}

export const buildGuidePage = (guides: readonly Guide[], guide: Guide): string =>
  buildPage({
    guides,
    current: guide.name,
    title: guide.title,
    body: `<article>${guide.html}</article>`,
  });

export function buildSearchPage(
  guides: readonly Guide[],
  query: string,
  hits: readonly SearchHit[],
): string {
  const items = hits.map(({ guide, section, excerpt }) => {
    const anchor = section.id === "" ? "" : `#${section.id}`;
    const place = section.title === "" ? "" : ` › ${escapeHtml(section.title)}`;
    return `<li><a href="/docs/${guide.name}${anchor}"><strong>${escapeHtml(guide.title)}${place}</strong><span>…${mark(excerpt, query)}…</span></a></li>`;
  });
  const found =
    hits.length === 0
      ? "<p>No guide has all of these words. Try fewer of them.</p>"
      : `<ul class="cards hits">${items.join("")}</ul>`;
  const body = `<h1>Search: ${escapeHtml(query)}</h1>${found}`;
  return buildPage({ guides, current: "", title: `Search: ${query}`, body, query });
}

const shorten = (text: string): string => (text.length <= 180 ? text : `${text.slice(0, 180)}…`);

/** Highlights the words of the query. */
function mark(text: string, query: string): string {
  const terms = query
    .split(/\s+/)
    .filter(Boolean)
    .map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const parts = text.split(new RegExp(`(${terms.join("|")})`, "gi"));
  return parts
    .map((part, index) => (index % 2 === 1 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join("");
}
