// Finds the logo, the favicon, the sharing image and the brand name.
import type { BrandingEvidence, EvidenceLogo } from "../../branding-evidence.ts";
import type { Branding } from "../../contract/page/branding.ts";
import { isObject } from "../../runtime/is-object.ts";

type Images = NonNullable<Branding["images"]>;

const MAX_DRAWING_CHARACTERS = 60_000;

/** Returns absolute addresses; an inline SVG becomes a `data:image/svg+xml` address. */
export function findImages(evidence: BrandingEvidence): Images {
  const logo = pickLogo(evidence);
  const address = logo === undefined ? undefined : findAddress(logo);
  const favicon = pickFavicon(evidence);
  const shared = readMeta(evidence, [
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
  ]);
  const fallback = readOrganization(evidence)?.logo ?? pickTouchIcon(evidence);
  return {
    ...(address === undefined && fallback === undefined ? {} : { logo: address ?? fallback }),
    ...(logo !== undefined && isWeb(logo.href) ? { logoHref: logo.href } : {}),
    ...(logo !== undefined && logo.alt !== "" ? { logoAlt: logo.alt } : {}),
    ...(favicon === undefined ? {} : { favicon }),
    ...(shared !== undefined && isWeb(shared) ? { ogImage: shared } : {}),
  };
}

const isWeb = (address: string): boolean => /^https?:\/\//.test(address);

function findAddress({ kind, source, markup }: EvidenceLogo): string | undefined {
  if (kind !== "svg")
    return isWeb(source) || source.startsWith("data:image/svg+xml") ? source : undefined;
  if (markup === "" || markup.length > MAX_DRAWING_CHARACTERS) return undefined;
  return `data:image/svg+xml,${encodeURIComponent(markup)}`;
}

function pickLogo(evidence: BrandingEvidence): EvidenceLogo | undefined {
  const site = URL.parse(evidence.url);
  const scored = evidence.logos
    .filter((logo) => findAddress(logo) !== undefined)
    .map((logo, index) => ({ logo, index, score: scoreLogo(logo, site, evidence) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score || a.index - b.index);
  return best !== undefined && best.score >= 4 ? best.logo : undefined;
}

function scoreLogo(logo: EvidenceLogo, site: URL | null, evidence: BrandingEvidence): number {
  const words = `${logo.words} ${logo.alt}`.toLowerCase();
  const [left, top, width, height] = logo.box;
  const link = URL.parse(logo.href);
  const home =
    link !== null && link.origin === site?.origin && /^\/(?:[a-z]{2}\/?)?$/.test(link.pathname);
  const name = findBrandName(evidence)?.toLowerCase() ?? "";
  let score = 0;
  if (/logo|wordmark/.test(words)) score += 5;
  else if (/brand/.test(words)) score += 3;
  if (home) score += 4;
  if (logo.region === "header") score += 2;
  else if (logo.region === "nav") score += 1.5;
  else if (logo.region === "footer") score -= 2;
  if (name !== "" && logo.alt.toLowerCase().includes(name)) score += 2;
  if (top < 160 && left < evidence.viewport.width * 0.5) score += 1.5;
  if (
    /partner|client|customer|sponsor|payment|social|avatar|flag|icon-|search|cart|menu|hamburger|arrow|chevron|award|badge|press/.test(
      words,
    )
  )
    score -= 5;
  if (width > 500 || height > 260) score -= 4;
  if (width < 16 || height < 12) score -= 3;
  if (top > 1200) score -= 2;
  return score;
}

function pickFavicon({ icons, url }: BrandingEvidence): string | undefined {
  const score = ({ sizes, type, href, rel }: (typeof icons)[number]): number => {
    if (!isWeb(href)) return -1;
    const apple = rel.includes("touch-icon") ? -300 : rel.includes("mask") ? -400 : 0;
    if (type.includes("svg") || /\.svg(?:$|\?)/.test(href)) return 1000 + apple;
    return (Number.parseInt(sizes, 10) || 1) + apple + 500;
  };
  const [best] = icons.toSorted((a, b) => score(b) - score(a));
  if (best !== undefined && isWeb(best.href)) return best.href;
  const site = URL.parse(url);
  return site !== null && /^https?:$/.test(site.protocol)
    ? `${site.origin}/favicon.ico`
    : undefined;
}

const pickTouchIcon = ({ icons }: BrandingEvidence): string | undefined =>
  icons.find(({ rel, href }) => rel.includes("touch-icon") && isWeb(href))?.href;

function readMeta({ metas }: BrandingEvidence, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = metas.find(([key, content]) => key === name && content !== "");
    if (found !== undefined) return found[1];
  }
  return undefined;
}

type Organization = { readonly name: string | undefined; readonly logo: string | undefined };

const ORGANIZATION =
  /(?:Organization|Corporation|Business|Store|Restaurant|Brand|NGO|NewsMediaOrganization)$/;

/** Returns the first organization in the page's JSON-LD, also inside `@graph` or as a publisher. */
function readOrganization(evidence: BrandingEvidence): Organization | undefined {
  for (const text of evidence.linkedData) {
    const queue: unknown[] = [parseJson(text)];
    for (let seen = 0; queue.length > 0 && seen < 500; seen += 1) {
      const entry = queue.shift();
      if (Array.isArray(entry)) queue.push(...entry.slice(0, 100));
      if (!isObject(entry)) continue;
      const kinds = [entry["@type"]].flat().map(String);
      if (kinds.some((kind) => ORGANIZATION.test(kind))) {
        const logo = readAddress(entry["logo"]);
        const name = typeof entry["name"] === "string" ? entry["name"].trim() : "";
        const absolute = logo === undefined ? null : URL.parse(logo, evidence.url);
        return {
          name: name === "" ? undefined : name.slice(0, 120),
          logo: absolute !== null && isWeb(absolute.href) ? absolute.href : undefined,
        };
      }
      queue.push(entry["@graph"], entry["publisher"]);
    }
  }
  return undefined;
}

function readAddress(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === "string") return one;
  if (!isObject(one)) return undefined;
  return [one["url"], one["contentUrl"]].find((address) => typeof address === "string");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the site's name from its metadata, linked data or logo, else the last part of its title.
 */
export function findBrandName(evidence: BrandingEvidence): string | undefined {
  const declared =
    readMeta(evidence, ["og:site_name", "application-name", "apple-mobile-web-app-title"]) ??
    readOrganization(evidence)?.name;
  if (declared !== undefined) return declared.slice(0, 120);
  const home = URL.parse("/", evidence.url)?.href;
  const logo = evidence.logos.find(
    ({ region, words, alt, href, box }) =>
      region !== "footer" &&
      alt !== "" &&
      (/logo|brand/i.test(words) || (href === home && box[1] < 200)),
  );
  const alt = logo?.alt
    .replace(/\b(?:logo|home|homepage|home page)\b/gi, "")
    .replace(/[\s|–—-]+$/, "")
    .trim();
  if (alt !== undefined && alt !== "" && alt.length < 50) return alt;
  const label = evidence.elements.find(
    ({ tag, region, classes, text }) =>
      tag === "a" &&
      region !== "footer" &&
      /brand|logo/i.test(classes) &&
      text !== "" &&
      text.length < 40,
  )?.text;
  if (label !== undefined) return label;
  return findNameInTitle(evidence);
}

/** Returns the part of the title that the page header or the host repeats, else its last part. */
function findNameInTitle({ title, url, elements }: BrandingEvidence): string | undefined {
  const normalizeText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const generic = /^(?:home|homepage|welcome|start|index|official (?:web)?site)$/i;
  const parts = title
    .split(/\s+[|·•–—-]\s+|:\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && part.length < 50 && !generic.test(part));
  const site = normalizeText(URL.parse(url)?.hostname ?? "");
  const head = new Set(
    elements
      .filter(({ box, tag }) => box[1] < 120 && tag !== "title")
      .map(({ text }) => normalizeText(text)),
  );
  return (
    parts.find(
      (part) =>
        normalizeText(part).length > 2 &&
        (site.includes(normalizeText(part)) || head.has(normalizeText(part))),
    ) ?? (/\s[|·•–—-]\s|:\s/.test(title) ? parts.at(-1) : undefined)
  );
}
