// Groups of names: what a tag, a role, a class or an id says about an element. Names are evidence for the model, never a decision.
import type { Element } from "domhandler";

const WORDS: Readonly<Record<string, string>> = {
  content:
    "content contents article articlebody story storybody entry body main maincontent text copy prose richtext rte wysiwyg inhalt contenido contenu",
  post: "post posts blog blogpost single page page-content",
  comment:
    "comment comments commentlist disqus respond reply replies discussion kommentar kommentare comentarios",
  forum:
    "thread topic message messages answer answers question questions forum bbs postbody topictext cooked",
  nav: "nav navbar navigation menu menus submenu breadcrumb breadcrumbs crumbs pagination pager paging sitemap topbar toolbar navi menue",
  footer: "footer foot bottom colophon copyright legal disclaimer imprint impressum",
  header: "header masthead banner top head branding logo",
  title:
    "title headline heading hero subtitle lead intro deck summary abstract excerpt standfirst teasertext",
  side: "sidebar side aside rail widget widgets complementary secondary sticky right left",
  related:
    "related recommended recommendation recommendations recommend more similar popular trending latest recent mostread upsell crosssell readmore promoted also next prev previous suggestions mehr weitere",
  share:
    "share sharing social socials facebook twitter addthis sharethis follow like likes bookmark",
  ad: "ad ads adsense advert advertisement sponsor sponsored promo promotion promotions outbrain taboola dfp gpt cta anzeige werbung",
  overlay:
    "modal popup overlay cookie cookies consent gdpr newsletter subscribe subscription signup login register lightbox dialog banner-cookie paywall search searchform alert notice toast",
  meta: "meta byline author authors date time timestamp published info details datum posted credit credits source views",
  tag: "tag tags category categories label labels badge badges chip chips topics keywords hashtag filter filters facet facets sort",
  product:
    "product products price prices pricing description desc spec specs specification specifications sku feature features detail buy cart basket shop stock variant variants",
  card: "card cards item items tile tiles teaser teasers box cell entry-item slide slider carousel swiper slick",
  list: "list lists grid row rows listing listings results result collection feed archive column columns col loop",
  media:
    "caption captions image images img photo photos picture gallery figure video player thumb thumbnail media",
  hidden:
    "hidden hide sr screenreader screen-reader visually visuallyhidden invisible skip collapse collapsed noprint",
  review: "review reviews rating ratings stars testimonial testimonials quote quotes feedback",
  docs: "doc docs documentation markdown md highlight code codehilite example api reference guide section sect",
  toc: "toc contents-list tableofcontents outline index anchor anchors",
  faq: "faq faqs accordion tab tabs panel panels toggle expandable",
  bio: "bio biography profile avatar user username member about contact address phone",
};
const FRAGMENTS: Readonly<Record<string, string>> = {
  content: "content article story maintext",
  comment: "comment disqus",
  nav: "navig navbar menu breadcrumb pagina",
  footer: "footer",
  header: "masthead",
  title: "headline",
  side: "sidebar widget",
  related: "related recommend popular",
  share: "social sharing share",
  ad: "advert sponsor promo",
  overlay: "cookie consent newsletter modal popup subscri",
  meta: "byline author publish",
  tag: "categor",
  product: "product price",
  card: "teaser carousel",
  list: "listing",
  media: "caption gallery",
  hidden: "hidden screenreader",
  review: "review testimonial",
  faq: "accordion",
};
const TAGS: Readonly<Record<string, string>> = {
  "tag-nav": "nav",
  "tag-footer": "footer",
  "tag-header": "header",
  "tag-aside": "aside",
  "tag-main": "main",
  "tag-article": "article",
  "tag-section": "section",
  "tag-form": "form fieldset label",
  "tag-list": "ul ol menu",
  "tag-item": "li",
  "tag-table": "table",
  "tag-figure": "figure",
  "tag-caption": "figcaption caption",
  "tag-details": "details summary",
  "tag-quote": "blockquote q",
  "tag-terms": "dl",
  "tag-button": "button",
  "tag-heading": "h1 h2 h3 h4 h5 h6",
  "tag-pre": "pre",
  "tag-paragraph": "p",
  "tag-dialog": "dialog",
  "tag-noscript": "noscript",
  "tag-link": "a",
};
const ROLES: Readonly<Record<string, string>> = {
  navigation: "tag-nav",
  menu: "tag-nav",
  menubar: "tag-nav",
  contentinfo: "tag-footer",
  banner: "tag-header",
  complementary: "tag-aside",
  search: "tag-form",
  main: "tag-main",
  article: "tag-article",
  dialog: "tag-dialog",
  alertdialog: "tag-dialog",
  button: "tag-button",
  heading: "tag-heading",
};

/** The groups in the order of their bits; every group is one feature of the model. */
export const GROUP_NAMES: readonly string[] = [
  ...Object.keys(WORDS),
  ...Object.keys(TAGS),
  "schema-body",
  "schema-item",
  "concealed",
];

const BIT = new Map(GROUP_NAMES.map((name, index) => [name, index]));
const bit = (name: string): number => BIT.get(name) ?? 0;
const SPLIT = 25;
const WORD_BITS = new Map<string, number>();
for (const [name, words] of Object.entries(WORDS))
  for (const word of words.split(" "))
    WORD_BITS.set(word, (WORD_BITS.get(word) ?? 0) | (1 << bit(name)));
const TAG_BITS = new Map<string, number>();
for (const [name, tags] of Object.entries(TAGS))
  for (const tag of tags.split(" ")) TAG_BITS.set(tag, 1 << (bit(name) - SPLIT));
const FRAGMENT_BITS = new Map<string, number>();
for (const [name, parts] of Object.entries(FRAGMENTS))
  for (const part of parts.split(" ")) FRAGMENT_BITS.set(part, 1 << bit(name));
const FRAGMENT = new RegExp([...FRAGMENT_BITS.keys()].join("|"), "g");

function wordBits(names: string): number {
  let bits = 0;
  const spaced = names.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  for (const word of spaced.split(/[^a-z]+/)) if (word.length > 1) bits |= WORD_BITS.get(word) ?? 0;
  for (const found of spaced.matchAll(FRAGMENT)) bits |= FRAGMENT_BITS.get(found[0]) ?? 0;
  return bits;
}

/** Reads groups off elements; remembers each class string of the page. */
export class NameReader {
  readonly #seen = new Map<string, number>();

  /** Bits of the class and id words, group 0 to 24. */
  words(element: Element): number {
    const classes = element.attribs["class"];
    const id = element.attribs["id"];
    return (
      (classes === undefined ? 0 : this.#bitsOf(classes)) |
      (id === undefined ? 0 : this.#bitsOf(id))
    );
  }

  /** Bits of tag, role, schema.org and hiding attributes, group 25 and up. */
  structure(element: Element): number {
    let bits = TAG_BITS.get(element.name) ?? 0;
    const { role, itemprop, itemtype, hidden, style } = element.attribs;
    if (role !== undefined) {
      const name = ROLES[role.toLowerCase()];
      if (name !== undefined) bits |= 1 << (bit(name) - SPLIT);
    }
    if (itemprop !== undefined && /articleBody|^text$|description|reviewBody/i.test(itemprop))
      bits |= 1 << (bit("schema-body") - SPLIT);
    if (itemtype !== undefined) bits |= 1 << (bit("schema-item") - SPLIT);
    const concealed =
      hidden !== undefined ||
      element.attribs["aria-hidden"] === "true" ||
      (style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style));
    if (concealed) bits |= 1 << (bit("concealed") - SPLIT);
    return bits;
  }

  #bitsOf(names: string): number {
    const known = this.#seen.get(names);
    if (known !== undefined) return known;
    const bits = names.length > 400 ? 0 : wordBits(names);
    this.#seen.set(names, bits);
    return bits;
  }
}
